import type { Standing } from '@tire/kernel';
import type { Tx } from '@tire/platform';

/** Of reports from before standings, and of those that an earlier release changed beside this one. */
export const CLAIM = `
  SELECT report_id AS "reportId" FROM reports
   WHERE standing_at IS DISTINCT FROM updated_at AND discarded_at IS NULL AND purge_at IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED`;

const WAITING = 'SELECT count(*)::int AS waiting FROM (SELECT FROM reports WHERE handover_at IS NOT NULL LIMIT $1) counted';

const SAVE = `
  UPDATE reports SET standing = known.standing, standing_at = updated_at,
         handover_attempts = CASE WHEN asks AND handover_at IS NULL THEN 0 ELSE handover_attempts END,
         handover_at = CASE WHEN asks THEN coalesce(handover_at, $4) ELSE handover_at END
    FROM unnest($1::uuid[], $2::text[], $3::bool[]) AS known (id, standing, asks) WHERE report_id = id`;

export interface Known {
  readonly reportId: string;
  readonly standing: Standing;
  /** Content is asked for the verdict. */
  readonly asks: boolean;
}

/** The planner expects nearly all reports to match, and would read all of them to find none. */
export const BY_INDEX = 'SET LOCAL enable_seqscan TO off';

export async function claimWithoutStanding(tx: Tx, limit: number): Promise<string[]> {
  await tx.execute(BY_INDEX);
  const rows = await tx.rows<{ reportId: string }>(CLAIM, [limit]);
  await tx.execute('SET LOCAL enable_seqscan TO on');
  return rows.map(({ reportId }) => reportId);
}

/** How many reports wait for an answer; `limit` at most. */
export const countWaiting = async (tx: Tx, limit: number): Promise<number> =>
  (await tx.rows<{ waiting: number }>(WAITING, [limit]))[0]!.waiting;

export const saveStandings = (tx: Tx, known: readonly Known[], now: Date): Promise<number> =>
  tx.execute(SAVE, [known.map(({ reportId }) => reportId), known.map(({ standing }) => standing), known.map(({ asks }) => asks), now]);
