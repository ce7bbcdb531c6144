import type { Tx } from '@tire/platform';
import { aliased, SLOT, type SlotRow } from '../reports/report.rows';

export interface OverdueSlot extends SlotRow {
  readonly reportId: string;
  readonly projectId: string;
}

/** Longest wait between two reminders: 2^4 times the first. */
const DOUBLINGS_MAX = 4;

/**
 * The first condition is the one that the index serves; the second lets rows wait longer each time, so that a queue
 * that is merely long is not made longer and longer.
 */
const overdue = `
  handover_at <= $1::timestamptz - make_interval(secs => $2)
  AND handover_at <= $1::timestamptz - make_interval(secs => $2 * power(2, least(handover_attempts, ${DOUBLINGS_MAX})))
  ORDER BY handover_at LIMIT $3 FOR UPDATE SKIP LOCKED`;

const CLAIM_SLOTS = `
  WITH overdue AS MATERIALIZED (SELECT report_id, slot_id FROM slots WHERE ${overdue})
  UPDATE slots SET handover_at = $1, handover_attempts = handover_attempts + 1
  FROM overdue WHERE slots.report_id = overdue.report_id AND slots.slot_id = overdue.slot_id
  RETURNING slots.report_id AS "reportId", slots.project_id AS "projectId", ${aliased(SLOT, 'slots')}`;

const CLAIM_REPORTS = `
  WITH overdue AS MATERIALIZED (SELECT report_id FROM reports WHERE ${overdue})
  UPDATE reports SET handover_at = $1, handover_attempts = handover_attempts + 1
  FROM overdue WHERE reports.report_id = overdue.report_id
  RETURNING reports.report_id AS "reportId"`;

export interface WaitingSlots {
  /** What is waited for: `fetch`, or the operation of the workers. */
  readonly kind: string;
  readonly count: number;
  readonly oldestAgeS: number;
}

/** A reminder starts the wait anew; the waits before it are as long as the rule above makes them. */
const BEFORE_REMINDERS = `
  $2 * (power(2, least(handover_attempts, ${DOUBLINGS_MAX})) - 1
        + power(2, ${DOUBLINGS_MAX}) * greatest(handover_attempts - ${DOUBLINGS_MAX}, 0))`;

/** The index holds what waits and nothing else. */
const WAITING_SLOTS = `
  SELECT CASE phase WHEN 'fetching' THEN 'fetch' ELSE split_part(slot_id, '.', 1) || '.' || split_part(slot_id, '.', 2) END AS kind,
         count(*)::int AS count,
         greatest(extract(epoch FROM max($1::timestamptz - handover_at)), 0)::float AS "oldestAgeS"
  FROM (SELECT phase, slot_id, handover_at - make_interval(secs => ${BEFORE_REMINDERS}) AS handover_at FROM slots
        WHERE handover_at IS NOT NULL) waiting
  GROUP BY 1`;

export const waitingSlots = (tx: Tx, now: Date, overdueMs: number): Promise<WaitingSlots[]> =>
  tx.rows<WaitingSlots>(WAITING_SLOTS, [now, overdueMs / 1000]);

/** The claim and the reminder commit together: a process that dies in between has claimed nothing. */
export const claimOverdueSlots = (tx: Tx, now: Date, overdueMs: number, limit: number): Promise<OverdueSlot[]> =>
  tx.rows<OverdueSlot>(CLAIM_SLOTS, [now, overdueMs / 1000, limit]);

export async function claimOverdueReports(tx: Tx, now: Date, overdueMs: number, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ reportId: string }>(CLAIM_REPORTS, [now, overdueMs / 1000, limit]);
  return rows.map(({ reportId }) => reportId);
}
