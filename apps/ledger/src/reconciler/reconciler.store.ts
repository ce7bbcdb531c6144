import type { Tx } from '@tire/platform';
import { aliased, SLOT, type LoadedSlot } from '../reports/report.rows';

export type OverdueSlot = LoadedSlot & { readonly reportId: string; readonly projectId: string };

/** Longest wait between two reminders: 2^4 times the first. */
const DOUBLINGS_MAX = 4;

/**
 * The index serves the first condition. The second doubles the wait after each reminder, so that reminders do not make a long queue longer.
 */
const overdue = `
  handover_at <= $1::timestamptz - make_interval(secs => $2)
  AND handover_at <= $1::timestamptz - make_interval(secs => $2 * power(2, least(handover_attempts, ${DOUBLINGS_MAX})))
  ORDER BY handover_at LIMIT $3 FOR UPDATE SKIP LOCKED`;

const CLAIM_SLOTS = `
  WITH overdue AS MATERIALIZED (SELECT report_id AS id, slot_id AS slot FROM slots WHERE ${overdue})
  UPDATE slots SET handover_at = $1, handover_attempts = handover_attempts + 1
  FROM overdue WHERE report_id = id AND slot_id = slot
  RETURNING report_id AS "reportId", project_id AS "projectId", ${aliased(SLOT)},
            NULL AS provenance, NULL AS "errorCode", NULL AS model`;

const CLAIM_REPORTS = `
  WITH overdue AS MATERIALIZED (SELECT report_id FROM reports WHERE ${overdue})
  UPDATE reports SET handover_at = $1, handover_attempts = handover_attempts + 1
  FROM overdue WHERE reports.report_id = overdue.report_id
  RETURNING reports.report_id AS "reportId"`;

export interface WaitingSlots {
  /** `fetch`, or the operation of the worker. */
  readonly kind: string;
  readonly count: number;
  readonly oldestAgeS: number;
}

/** A reminder restarts `handover_at`. This adds the waits before it, from the number of attempts. */
const BEFORE_REMINDERS = `
  $2 * (power(2, least(handover_attempts, ${DOUBLINGS_MAX})) - 1
        + power(2, ${DOUBLINGS_MAX}) * greatest(handover_attempts - ${DOUBLINGS_MAX}, 0))`;

/** The index holds only slots that wait. */
const WAITING_SLOTS = `
  SELECT CASE phase WHEN 'fetching' THEN 'fetch' ELSE split_part(slot_id, '.', 1) || '.' || split_part(slot_id, '.', 2) END AS kind,
         count(*)::int AS count,
         greatest(extract(epoch FROM max($1::timestamptz - handover_at)), 0)::float AS "oldestAgeS"
  FROM (SELECT phase, slot_id, handover_at - make_interval(secs => ${BEFORE_REMINDERS}) AS handover_at FROM slots
        WHERE handover_at IS NOT NULL) waiting
  GROUP BY 1`;

export const waitingSlots = (tx: Tx, now: Date, overdueMs: number): Promise<WaitingSlots[]> =>
  tx.rows<WaitingSlots>(WAITING_SLOTS, [now, overdueMs / 1000]);

/** The claim and the reminder commit together: after a crash in between, nothing is claimed. */
export const claimOverdueSlots = (tx: Tx, now: Date, overdueMs: number, limit: number): Promise<OverdueSlot[]> =>
  tx.rows<OverdueSlot>(CLAIM_SLOTS, [now, overdueMs / 1000, limit]);

export async function claimOverdueReports(tx: Tx, now: Date, overdueMs: number, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ reportId: string }>(CLAIM_REPORTS, [now, overdueMs / 1000, limit]);
  return rows.map(({ reportId }) => reportId);
}
