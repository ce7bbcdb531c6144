import type { ListedReport } from '@tire/contracts/console';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useQuery } from '../../api/address';
import { useProject } from '../../api/project';
import { useReportList } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Timestamp } from '../../ui/timestamp';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Refresh } from '../../ui/refresh';
import { CreateReport } from '../creation/create-report';
import { ExportReports } from './export';
import { Find } from './search-form';
import { addressOf, filtersFrom, isFiltered, filterOf, type Chosen } from './filters';
import { AnalysisBadge, ManualBadge, PublicationBadge } from './status';
import './reports.css';

export function ReportsPage() {
  const t = useTexts();
  const { project } = useProject();
  const chosen = useChosen();
  const query = useReportList(project.project_id, filterOf(chosen));
  const actions = (
    <>
      <Refresh query={query} />
      <ExportReports filter={filterOf(chosen)} />
      <CreateReport />
    </>
  );
  return (
    <Page title={t.reports.title} text={t.reports.text} actions={actions}>
      {/* A new form for each search, so that the fields match the address. */}
      <Find key={addressOf(chosen)} chosen={chosen} />
      <Found chosen={chosen} query={query} />
    </Page>
  );
}

function useChosen(): Chosen {
  const query = useQuery();
  return filtersFrom((name) => query.get(name) ?? '');
}

function Found({ chosen, query }: { chosen: Chosen; query: ReturnType<typeof useReportList> }) {
  const t = useTexts();
  const label = chosen.search === '' ? t.reports.title : t.reports.found(chosen.search);
  return (
    <>
      <Loaded query={query}>
        {({ pages }) =>
          pages.every(({ reports }) => reports.length === 0) ? (
            <Nothing chosen={chosen} isSearched={pages.at(-1)?.next_cursor === null} />
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

/** A value that very many reports have is searched part by part. */
function Nothing({ chosen, isSearched }: { chosen: Chosen; isSearched: boolean }) {
  const t = useTexts();
  const { place, path } = useProject();
  const filtered = isFiltered(chosen);
  if (!isSearched) return <Empty title={t.reports.noneSoFar} text={t.reports.noneSoFarText} />;
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
          <bdi>{plate_number ? visibleText(plate_number) : t.reports.noPlate}</bdi>
        </Anchor>
        <code className="short-id">{shortId(report_id)}</code>
      </div>
      <Facts>
        <span>
          <Timestamp at={report.created_at} /> {t.reports.sources[creation.source_channel]}
        </span>
        {external_inspection_id !== null && (
          <span>
            {t.reports.inspectionId} <bdi>{visibleText(external_inspection_id)}</bdi>
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

/** The end of the id, because ids that were created at the same time have the same beginning. */
const shortId = (id: string): string => `…${id.slice(-6)}`;

export function VehicleLink({ id }: { id: string }) {
  const t = useTexts();
  const { path } = useProject();
  return (
    <Anchor
      component={Link}
      href={`${path}/vehicles?${new URLSearchParams({ id })}`}
      aria-label={t.reports.historyOf(visibleText(id))}
      size="sm"
      underline="always"
    >
      <bdi>{visibleText(id)}</bdi>
    </Anchor>
  );
}
