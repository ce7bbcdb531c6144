import type { ListedReport } from '@tire/contracts';
import { Anchor, Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { useQueryValue } from '../../api/address';
import { useProject } from '../../api/project';
import { useReportList } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import { harmless } from '../../ui/harmless';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Moment } from '../../ui/moment';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Refresh } from '../../ui/refresh';
import { CreateReport } from '../creation/create-report';
import { AnalysisBadge, ManualBadge, PublicationBadge } from './status';
import './reports.css';

/** Of the interface: what is longer is no plate and no id. */
const SEARCH_MAX = 128;

export function ReportsPage() {
  const t = useTexts();
  const { project } = useProject();
  const search = useQueryValue('search');
  const query = useReportList(project.project_id, search);
  const actions = (
    <>
      <Refresh query={query} />
      <CreateReport />
    </>
  );
  return (
    <Page title={t.reports.title} text={t.reports.text} actions={actions}>
      {/* Anew for another search: what is typed is that of the address. */}
      <Search key={search} search={search} />
      <Found search={search} query={query} />
    </Page>
  );
}

function Search({ search }: { search: string }) {
  const t = useTexts();
  const { path } = useProject();
  const [, go] = useLocation();
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = field(new FormData(event.currentTarget), 'search').trim();
    go(wanted === '' ? `${path}/reports` : `${path}/reports?${new URLSearchParams({ search: wanted })}`);
  };
  return (
    <form role="search" className="search" onSubmit={find}>
      <TextInput
        type="search"
        name="search"
        label={t.reports.searchLabel}
        description={t.reports.searchHint}
        defaultValue={search}
        maxLength={SEARCH_MAX}
        autoComplete="off"
      />
      <div className="search-actions">
        <Button type="submit">{t.reports.search}</Button>
        {search !== '' && (
          <Button variant="default" onClick={() => go(`${path}/reports`)}>
            {t.reports.clear}
          </Button>
        )}
      </div>
    </form>
  );
}

function Found({ search, query }: { search: string; query: ReturnType<typeof useReportList> }) {
  const t = useTexts();
  const label = search === '' ? t.reports.title : t.reports.found(search);
  return (
    <>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.reports.length === 0 ? (
            <Nothing search={search} />
          ) : (
            <Rows label={label}>
              {pages.flatMap(({ reports }) => reports.map((report) => <ReportRow key={report.report_id} report={report} />))}
            </Rows>
          )
        }
      </Loaded>
      <More query={query} />
    </>
  );
}

function Nothing({ search }: { search: string }) {
  const t = useTexts();
  const { place, path } = useProject();
  return search === '' ? (
    <Empty title={t.reports.empty} text={t.reports.emptyText}>
      {place.can('keys.read') && (
        <Anchor component={Link} href={`${path}/developers`}>
          {t.creation.byApi}
        </Anchor>
      )}
    </Empty>
  ) : (
    <Empty title={t.reports.notFound(search)} text={t.reports.notFoundText} />
  );
}

function ReportRow({ report }: { report: ListedReport }) {
  const t = useTexts();
  const { path } = useProject();
  const { report_id, plate_number, external_inspection_id, external_vehicle_id, creation } = report;
  return (
    <Row
      actions={
        <>
          <ManualBadge mode={creation.mode} />
          <AnalysisBadge status={report.analysis_status} />
          <PublicationBadge status={report.publication_status} />
        </>
      }
    >
      <div className="row-name">
        <Anchor component={Link} href={`${path}/reports/${report_id}`} fw={600}>
          <bdi>{plate_number ? harmless(plate_number) : t.reports.noPlate}</bdi>
        </Anchor>
        <code className="short-id">{shortId(report_id)}</code>
      </div>
      <Facts>
        <span>
          <Moment at={report.created_at} /> {t.reports.sources[creation.source_channel]}
        </span>
        {external_inspection_id !== null && (
          <span>
            {t.reports.inspectionId} <bdi>{harmless(external_inspection_id)}</bdi>
          </span>
        )}
        {external_vehicle_id !== null && (
          <span>
            {t.reports.vehicleId} <VehicleLink id={external_vehicle_id} />
          </span>
        )}
      </Facts>
    </Row>
  );
}

/** Its end: ids that were made at about the same time begin alike. */
const shortId = (id: string): string => `…${id.slice(-6)}`;

export function VehicleLink({ id }: { id: string }) {
  const t = useTexts();
  const { path } = useProject();
  return (
    <Anchor
      component={Link}
      href={`${path}/vehicles?${new URLSearchParams({ id })}`}
      aria-label={t.reports.historyOf(harmless(id))}
      size="sm"
      underline="always"
    >
      <bdi>{harmless(id)}</bdi>
    </Anchor>
  );
}
