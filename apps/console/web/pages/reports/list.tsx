import type { ListedReport } from '@tire/contracts/console';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useQuery } from '../../api/address';
import { useProject } from '../../api/project';
import { useReportList } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Timestamp, useTimeZone } from '../../ui/timestamp';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Refresh } from '../../ui/refresh';
import { CreateReport } from '../creation/create-report';
import { ExportReports } from './export';
import { Find } from './search-form';
import { addressOf, filtersFrom, isFiltered, exportFilterOf, filterOf, orderOf, type Chosen } from './filters';
import { Selection, type Selected } from './selection';
import { AttentionBadge, ManualBadge, PublicationBadge } from './status';
import { StandingSign } from '../../ui/sign';
import './reports.css';

export function ReportsPage() {
  const t = useTexts();
  const { project } = useProject();
  const chosen = useChosen();
  const filter = filterOf(chosen, useTimeZone());
  const query = useReportList(project.project_id, filter);
  const actions = (
    <>
      <Refresh query={query} />
      <ExportReports filter={exportFilterOf(filter)} />
      <CreateReport />
    </>
  );
  return (
    <Page title={t.reports.title} text={t.worklist.text[orderOf(chosen)]} actions={actions}>
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
            <Selectable label={label} reports={pages.flatMap(({ reports }) => reports)} />
          )
        }
      </Loaded>
      <More query={query} />
    </>
  );
}

function Selectable({ label, reports }: { label: string; reports: readonly ListedReport[] }) {
  const { place } = useProject();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Rows that left the list are not selected any more.
  const selected: Selected = {
    ids: reports.map(({ report_id }) => report_id).filter((id) => chosen.has(id)),
    choose: setChosen,
  };
  const mayMark = place.can('reports.write');
  return (
    <>
      <Selection reports={reports} selected={selected} mayMark={mayMark} />
      <Rows label={label}>
        {reports.map((report) => (
          <ReportRow key={report.report_id} report={report} selected={selected} />
        ))}
      </Rows>
    </>
  );
}

/** A value that very many reports have is searched part by part. */
function Nothing({ chosen, isSearched }: { chosen: Chosen; isSearched: boolean }) {
  const t = useTexts();
  const filtered = isFiltered(chosen);
  if (!isSearched) return <Empty title={t.reports.noneSoFar} text={t.reports.noneSoFarText} />;
  if (chosen.search !== '') {
    return <Empty title={t.reports.notFound(chosen.search)} text={filtered ? t.reports.noneText : t.reports.notFoundText} />;
  }
  if (filtered) return <Empty title={t.reports.none} text={t.reports.noneText} />;
  return <NothingToDo />;
}

/** All are handled, or there are none yet. */
function NothingToDo() {
  const t = useTexts();
  const { place, project, path } = useProject();
  const all = useReportList(project.project_id, {});
  return (
    <Loaded query={all}>
      {({ pages }) =>
        pages.some(({ reports }) => reports.length > 0) ? (
          <Empty title={t.worklist.nothing} text={t.worklist.nothingText} />
        ) : (
          <Empty title={t.reports.empty} text={t.reports.emptyText}>
            {place.can('keys.read') && (
              <Anchor component={Link} href={`${path}/developers`}>
                {t.creation.byApi}
              </Anchor>
            )}
          </Empty>
        )
      }
    </Loaded>
  );
}

function ReportRow({ report, selected }: { report: ListedReport; selected: Selected }) {
  const t = useTexts();
  const { path } = useProject();
  const { report_id, plate_number, external_inspection_id, external_vehicle_id, creation } = report;
  return (
    <Row
      actions={
        <>
          <StandingSign standing={report.work.standing} />
          <AttentionBadge work={report.work} />
          <ManualBadge mode={creation.mode} />
          <PublicationBadge status={report.publication_status} />
        </>
      }
    >
      <div className="row-name">
        <input
          type="checkbox"
          className="pick"
          aria-label={t.worklist.select(plate_number ? visibleText(plate_number) : shortId(report_id))}
          checked={selected.ids.includes(report_id)}
          onChange={({ currentTarget }) => selected.choose(changedBy(selected.ids, report_id, currentTarget.checked))}
        />
        <Anchor component={Link} href={`${path}/reports/${report_id}`} fw={report.work.attention === 'unread' ? 800 : 600}>
          <bdi>{plate_number ? visibleText(plate_number) : t.reports.noPlate}</bdi>
        </Anchor>
        <code className="short-id">{shortId(report_id)}</code>
      </div>
      <Facts>
        <span>
          <Timestamp at={report.created_at} /> {t.reports.sources[creation.source_channel]}
        </span>
        {report.created_by?.kind === 'user' && (
          <span>
            <bdi>{visibleText(report.created_by.name)}</bdi>
          </span>
        )}
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

function changedBy(ids: readonly string[], id: string, isChosen: boolean): ReadonlySet<string> {
  const changed = new Set(ids);
  if (isChosen) changed.add(id);
  else changed.delete(id);
  return changed;
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
