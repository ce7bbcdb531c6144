import { REPLAY_MAX } from '@tire/contracts/limits';
import type { Tx } from '@tire/platform';

export interface ReplayRange {
  readonly projectId: string;
  readonly firstId: string;
  readonly beforeId: string;
  /** Only callbacks that are newer than this one. */
  readonly after: string | null;
  readonly state: string | null;
  readonly types: readonly string[];
}

/** Of a long period with few callbacks of the wanted state or type, one replay reads so many. */
export const REPLAY_READ_MAX = 10_000;

const BEFORE_EVERY_ID = '00000000-0000-0000-0000-000000000000';
const AFTER_EVERY_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 1))';

const SELECT_WAITING = `
  SELECT count(*)::int AS count FROM (
    SELECT FROM callbacks WHERE project_id = $1 AND state = 'pending' AND tried_since IS NOT NULL LIMIT ${REPLAY_MAX}) waiting`;

/** Reads an index only. */
const SELECT_LAST_READ = `
  SELECT id FROM callbacks WHERE project_id = $1 AND id >= $2 AND id < $3 AND id > $4
   ORDER BY id LIMIT 1 OFFSET ${REPLAY_READ_MAX - 1}`;

/**
 * In the order in which they were queued. A pending callback is sent anyway, which includes those with an attempt in flight. One that is
 * locked is being made due by somebody else.
 */
const REPLAY = `
  WITH chosen AS (
    SELECT id FROM callbacks
     WHERE project_id = $1 AND id >= $2 AND id < $3 AND id > $4 AND id <= $8
       AND state <> 'pending' AND type <> 'callback.test' AND url <> ''
       AND ($5::text IS NULL OR state = $5) AND (cardinality($6::text[]) = 0 OR type = ANY ($6::text[]))
     ORDER BY id LIMIT $9 FOR UPDATE SKIP LOCKED
  )
  UPDATE callbacks c SET state = 'pending', next_attempt_at = $7, claimed_until = NULL, tried_since = $7, attempts_before = attempt_count
    FROM chosen WHERE c.id = chosen.id RETURNING c.id, c.receiver`;

/** Replays of a project run one after the other, in all processes. The wait ends like that for any lock, after the time of the connection. */
export async function lockReplays(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(LOCK, [projectId]);
}

/** How many callbacks of the project wait after they were sent again, counted up to the limit. */
export const waitingAgain = async (tx: Tx, projectId: string): Promise<number> =>
  (await tx.rows<{ count: number }>(SELECT_WAITING, [projectId]))[0]!.count;

/** The last callback that one replay reads; null if it reads to the end of the range. */
export async function lastRead(tx: Tx, { projectId, firstId, beforeId, after }: ReplayRange): Promise<string | null> {
  const [row] = await tx.rows<{ id: string }>(SELECT_LAST_READ, [projectId, firstId, beforeId, after ?? BEFORE_EVERY_ID]);
  return row?.id ?? null;
}

/** Makes callbacks of the range due, up to `last` and no more than `count`. */
export function replayCallbacks(
  tx: Tx,
  { projectId, firstId, beforeId, after, state, types }: ReplayRange,
  { last, count, now }: { readonly last: string | null; readonly count: number; readonly now: Date },
): Promise<{ id: string; receiver: string }[]> {
  const range = [projectId, firstId, beforeId, after ?? BEFORE_EVERY_ID, state, types];
  return tx.rows(REPLAY, [...range, now, last ?? AFTER_EVERY_ID, count]);
}
