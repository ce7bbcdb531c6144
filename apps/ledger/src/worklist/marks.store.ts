import type { Attention, Standing } from '@tire/kernel';
import { currentActor, currentTraceId, type Tx } from '@tire/platform';
import type { HistoryEntry } from '../domain/history';

interface MarkedRow {
  readonly reportId: string;
  readonly attention: Attention;
  readonly standing: Standing;
  readonly revisionId: string | null;
  readonly contentRevision: string | null;
}

const OPEN = 'report_id = ANY($1::uuid[]) AND discarded_at IS NULL AND purge_at IS NULL';

/** In the order of the ids, so that two marks of the same reports do not wait for each other. */
export const lockReports = (tx: Tx, reportIds: readonly string[]): Promise<MarkedRow[]> =>
  tx.rows<MarkedRow>(
    `SELECT report_id AS "reportId", attention, standing, revision_id AS "revisionId", content_revision AS "contentRevision"
       FROM reports WHERE ${OPEN} ORDER BY report_id FOR UPDATE`,
    [reportIds],
  );

export const saveAttention = (tx: Tx, reportIds: readonly string[], attention: Attention, now: Date): Promise<number> =>
  tx.execute(`UPDATE reports SET attention = $2, handled_at = $3, handled_by = $4 WHERE ${OPEN}`, [
    reportIds,
    attention,
    ...(attention === 'handled' ? [now, currentActor() ?? null] : [null, null]),
  ]);

export const saveHistory = (tx: Tx, projectId: string, reportIds: readonly string[], entry: HistoryEntry, now: Date): Promise<number> =>
  tx.execute(
    `INSERT INTO report_history (report_id, project_id, at, actor, trace_id, happenings)
     SELECT report_id, $2, $3, $4, $5, $6 FROM unnest($1::uuid[]) AS marked (report_id)`,
    [reportIds, projectId, now, currentActor() ?? 'service:ledger', currentTraceId(), JSON.stringify([entry])],
  );
