import type { ListedReport } from '@tire/contracts';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useQuery } from '../../api/address';
import { useProject } from '../../api/project';
import { useReportList } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { harmless } from '../../ui/harmless';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Moment } from '../../ui/moment';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Refresh } from '../../ui/refresh';
import { CreateReport } from '../creation/create-report';
import { Find } from './find';
import { addressOf, chosenOf, isFiltered, soughtOf, type Chosen } from './sought';
import { AnalysisBadge, ManualBadge, PublicationBadge } from './status';
import './reports.css';

export function ReportsPage() {
  const t = useTexts();
  const { project } = useProject();
  const chosen = useChosen();
  const query = useReportList(project.project_id, soughtOf(chosen));
  const actions = (
    <>
      <Refresh query={query} />
      <CreateReport />
    </>
  );
  return (
    <Page title={t.reports.title} text={t.reports.text} actions={actions}>
      {/* Anew for another search: what is typed is that of the address. */}
      <Find key={addressOf(chosen)} chosen={chosen} />
      <Found chosen={chosen} query={query} />
    </Page>
  );
}

function useChosen(): Chosen {
  const query = useQuery();
  return chosenOf((name) => query.get(name) ?? '');
}

function Found({ chosen, query }: { chosen: Chosen; query: ReturnType<typeof useReportList> }) {
  const t = useTexts();
  const label = chosen.search === '' ? t.reports.title : t.reports.found(chosen.search);
  return (
    <>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.reports.length === 0 ? (
            <Nothing chosen={chosen} />
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

function Nothing({ chosen }: { chosen: Chosen }) {
  const t = useTexts();
  const { place, path } = useProject();
  const filtered = isFiltered(chosen);
  if (chosen.search !== '') {
    return <Empty title={t.reports.notFound(chosen.search)} text={filtered ? t.reports.noneText : t.reports.notFoundText} />;
  }
  if (filtered) return <Empty title={t.reports.none} text={t.reports.noneText} />;
  return (
    <Empty title={t.reports.empty} text={t.reports.emptyText}>
      {place.can('keys.read') && (
        <Anchor component={Link} href={`${path}/developers`}>
          {t.creation.byApi}
        </Anchor>
      )}
    </Empty>
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
