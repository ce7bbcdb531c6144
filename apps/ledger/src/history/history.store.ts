import { currentActor, currentTraceId, prepared, traceHeaders, type Database, type Tx } from '@tire/platform';
import type { ReportCommand } from '../domain/decide';
import { happeningsOf, serviceBehind, type HistoryEntry } from '../domain/history';
import type { Report } from '../domain/report';
import type { Step } from '../domain/steps';
import type { OriginColumns } from '../reports/report.rows';
import type { ListedRow } from '../search/search.store';

/** The entries are numbered in the order of the changes. */
const INSERT = prepared(`
  INSERT INTO report_history (report_id, project_id, at, actor, trace_id, happenings)
  SELECT $1, $2, $3, actor, trace_id, happenings
    FROM unnest($4::text[], $5::uuid[], $6::json[]) WITH ORDINALITY AS change (actor, trace_id, happenings, place) ORDER BY place`);

const actorOf = (command: ReportCommand['type']): string => currentActor() ?? serviceBehind(command);

/** The columns that record the creator of a report, its trace and its number of images. */
export const originColumns = ({ slots }: Report): OriginColumns => ({
  createdBy: actorOf('create'),
  creationTraceId: currentTraceId(),
  imagesAtCreation: slots.filter(({ state }) => state.phase !== 'empty' && state.asset !== null).length,
});

/** Who gave a command, and the trace that it belongs to. */
export interface Cause {
  readonly actor: string;
  readonly traceId: string | null;
  readonly headers: Record<string, string>;
}

export const currentCause = (command: ReportCommand['type']): Cause => ({
  actor: actorOf(command),
  traceId: currentTraceId(),
  headers: traceHeaders(),
});

export interface CausedStep extends Step {
  readonly command: ReportCommand['type'];
  readonly cause: Cause;
}

/** Runs in the transaction of the changes of one report. */
export async function recordChanges(tx: Tx, steps: readonly CausedStep[], at: Date): Promise<void> {
  const entries = steps.flatMap(({ before, command, events, cause }) => {
    const happenings = before.lifecycle === 'open' ? happeningsOf(before.report, command, events) : [];
    return before.lifecycle === 'open' && happenings.length > 0 ? [{ ...before.report.identity, ...cause, happenings }] : [];
  });
  const [first] = entries;
  if (!first) return;
  const columns = [entries.map(({ actor }) => actor), entries.map(({ traceId }) => traceId)];
  await tx.execute(INSERT, [first.reportId, first.projectId, at, ...columns, entries.map(({ happenings }) => JSON.stringify(happenings))]);
}

const CHANGES_MAX = 1_000;

/**
 * The report and its revisions stand in for entries from before the history was recorded. The first analysis of a manual report ended when
 * it was created, so its entry has the actor of the creation.
 */
const HISTORY = `
  SELECT 'creation' AS source, created_at AS at, created_by AS actor, creation_trace_id AS "traceId",
         json_build_array(json_build_object('what', 'created')) AS happenings, 0::bigint AS entry
    FROM reports WHERE report_id = $1 AND discarded_at IS NULL AND purge_at IS NULL
  UNION ALL
  SELECT 'derived', revision.completed_at, by_hand.created_by, by_hand.creation_trace_id,
         json_build_array(json_build_object('what', 'analysis_ended', 'status', revision.status, 'revision', revision.revision_id)), 1
    FROM analysis_revisions revision
    LEFT JOIN reports by_hand ON by_hand.report_id = revision.report_id AND by_hand.creation_mode = 'manual'
   WHERE revision.report_id = $1
  UNION ALL
  SELECT 'derived', published_at, NULL, NULL, json_build_array(json_build_object('what', 'published')), 2
    FROM reports WHERE report_id = $1 AND published_at IS NOT NULL
  UNION ALL
  (SELECT 'recorded', at, actor, trace_id, happenings, entry FROM report_history WHERE report_id = $1 ORDER BY entry DESC LIMIT ${CHANGES_MAX})
  ORDER BY at, entry`;

export interface HistoryRow {
  readonly source: 'creation' | 'derived' | 'recorded';
  readonly at: Date;
  readonly actor: string | null;
  readonly traceId: string | null;
  readonly happenings: readonly HistoryEntry[];
}

type WorkRow = Pick<ListedRow, 'standing' | 'attention' | 'handled_at' | 'handled_by' | 'revision_id' | 'content_revision'>;

export const findWorkState = async (database: Database, projectId: string, reportId: string): Promise<WorkRow | undefined> =>
  (
    await database.projectQuery<WorkRow>(
      projectId,
      'SELECT standing, attention, handled_at, handled_by, revision_id, content_revision FROM reports WHERE report_id = $1',
      [reportId],
    )
  )[0];

export const findHistory = (database: Database, projectId: string, reportId: string): Promise<HistoryRow[]> =>
  database.projectQuery<HistoryRow>(projectId, HISTORY, [reportId]);
