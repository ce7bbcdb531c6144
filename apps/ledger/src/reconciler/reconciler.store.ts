import type { Tx } from '@tire/platform';

/** Longest wait between two reminders: 2^4 times the first. */
const DOUBLINGS_MAX = 4;

/**
 * The first condition is for the index of reports. Slots have no such index: all that are handed out are looked at, which are few, because a
 * project has a limit. The second condition doubles the wait after each reminder, so that reminders do not make a long queue longer.
 */
const LATE = `handover_at <= $1::timestamptz - make_interval(secs => $2)
  AND handover_at <= $1::timestamptz - make_interval(secs => $2 * power(2, least(handover_attempts, ${DOUBLINGS_MAX})))`;
/**
 * Noted by a clock that was ahead. Without this its hand-overs would wait until the right clock reaches their time. An instance whose
 * own clock is behind goes by that of Postgres: statement_timestamp(), because an index cannot serve clock_timestamp().
 */
const AHEAD = 'handover_at > greatest($1::timestamptz, statement_timestamp()) + make_interval(secs => $2)';

/** Each condition is a scan of the index of reports by itself; with OR, all of the index would be read. */
const overdue = (columns: string, table: string): string => {
  const found = (condition: string) =>
    `SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY handover_at LIMIT $3 FOR UPDATE SKIP LOCKED`;
  return `late AS MATERIALIZED (${found(LATE)}), ahead AS MATERIALIZED (${found(AHEAD)}),
    overdue AS (SELECT * FROM late UNION ALL SELECT * FROM ahead LIMIT $3)`;
};

const PUT_BACK_SLOTS = `
  WITH ${overdue('report_id AS id, slot_id AS slot', 'slots')}
  UPDATE slots SET handover_at = NULL, handover_attempts = handover_attempts + 1
  FROM overdue WHERE report_id = id AND slot_id = slot`;

const CLAIM_REPORTS = `
  WITH ${overdue('report_id', 'reports')}
  UPDATE reports SET handover_at = $1, handover_attempts = handover_attempts + 1
  FROM overdue WHERE reports.report_id = overdue.report_id
  RETURNING reports.report_id AS "reportId"`;

/** Work that was handed out and has no answer waits again. What still waits is not overdue. */
export const putBackOverdueSlots = (tx: Tx, now: Date, overdueMs: number, limit: number): Promise<number> =>
  tx.execute(PUT_BACK_SLOTS, [now, overdueMs / 1000, limit]);

/** The claim and the reminder commit together: after a crash in between, nothing is claimed. */
export async function claimOverdueReports(tx: Tx, now: Date, overdueMs: number, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ reportId: string }>(CLAIM_REPORTS, [now, overdueMs / 1000, limit]);
  return rows.map(({ reportId }) => reportId);
}
