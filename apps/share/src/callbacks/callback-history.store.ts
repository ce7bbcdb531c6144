import { firstIdAt } from '@tire/kernel';
import type { Tx } from '@tire/platform';

export interface CallbackRecord {
  readonly id: string;
  readonly type: string;
  readonly reportId: string | null;
  readonly analysisRevision: string | null;
  readonly projectId: string;
  readonly url: string;
  /** Sealed. Null after the report was discarded. */
  readonly body: Buffer | null;
  readonly state: string;
  readonly queuedAt: Date;
  readonly nextAttemptAt: Date;
  readonly inFlight: boolean;
  readonly attemptCount: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
}

export interface AttemptRecord {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
}

export interface UsageRow {
  /** Position of the day in the request. */
  readonly index: number;
  readonly queued: number;
  readonly delivered: number;
}

export interface Page {
  readonly projectId: string;
  readonly reportId: string | null;
  readonly state: string | null;
  /** Only callbacks that are older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/**
 * Groups by the time inside the ids. Postgres reads an index only: a callback itself has a body of kilobytes. Those that are gone were counted by
 * quarter when they were removed. One statement, so one moment: no callback counts in both while it is removed.
 */
export const USAGE_STATEMENT = `
  SELECT width_bucket(id, $2::uuid[]) - 1 AS index, count(*)::int AS queued, count(*) FILTER (WHERE state = 'delivered')::int AS delivered
    FROM callbacks WHERE project_id = $1 AND id >= $3 AND id < $4 GROUP BY 1
  UNION ALL
  SELECT width_bucket(quarter, $5::timestamptz[]) - 1, sum(queued)::int, sum(delivered)::int
    FROM callback_quarters WHERE project_id = $1 AND quarter >= $6 AND quarter < $7 GROUP BY 1`;

const SELECT = `
  SELECT c.id, c.type, c.report_id AS "reportId", c.analysis_revision AS "analysisRevision", c.project_id AS "projectId", c.url, c.body, c.state,
    c.queued_at AS "queuedAt", c.next_attempt_at AS "nextAttemptAt", c.attempt_count AS "attemptCount", newest.http_status AS "httpStatus",
    newest.failure, coalesce(c.claimed_until > $1, false) AS "inFlight"
  FROM callbacks c LEFT JOIN LATERAL (
    SELECT http_status, failure FROM callback_attempts WHERE callback_id = c.id ORDER BY number DESC LIMIT 1) newest ON true`;

const LIST = `${SELECT}
  WHERE c.project_id = $2 AND ($3::uuid IS NULL OR c.report_id = $3) AND ($4::text IS NULL OR c.state = $4)
    AND ($5::uuid IS NULL OR c.id < $5)
  ORDER BY c.id DESC LIMIT $6`;

const SELECT_ATTEMPTS = `
  SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", http_status AS "httpStatus", failure, answer
  FROM callback_attempts WHERE callback_id = $1 ORDER BY number`;

const RESEND = `
  UPDATE callbacks SET state = 'pending', next_attempt_at = $2, claimed_until = NULL, tried_since = $2, attempts_before = attempt_count
  WHERE id = $1 AND url <> '' AND (claimed_until IS NULL OR claimed_until <= $2) RETURNING receiver`;

/** Newest first: the ids contain their time. */
export const listCallbacks = (tx: Tx, { projectId, reportId, state, before, limit }: Page, now: Date): Promise<CallbackRecord[]> =>
  tx.rows<CallbackRecord>(LIST, [now, projectId, reportId, state, before, limit]);

export const findCallback = async (tx: Tx, projectId: string, id: string, now: Date): Promise<CallbackRecord | undefined> =>
  (await tx.rows<CallbackRecord>(`${SELECT} WHERE c.project_id = $2 AND c.id = $3`, [now, projectId, id]))[0];

export const listAttempts = (tx: Tx, id: string): Promise<AttemptRecord[]> => tx.rows<AttemptRecord>(SELECT_ATTEMPTS, [id]);

/** From these times, each until the next one and the last until `endMs`. A day may have two rows. */
export function countByDay(tx: Tx, projectId: string, startsMs: readonly number[], endMs: number): Promise<UsageRow[]> {
  const [ids, times] = [startsMs.map(firstIdAt), startsMs.map((ms) => new Date(ms))];
  return tx.rows<UsageRow>(USAGE_STATEMENT, [projectId, ids, ids[0], firstIdAt(endMs), times, times[0], new Date(endMs)]);
}

/**
 * Makes a callback due now, and starts its schedule again. Returns the receiver. A callback with an attempt in flight is not changed: two
 * attempts at once have no use.
 */
export const resendCallback = async (tx: Tx, id: string, now: Date): Promise<string | null> =>
  (await tx.rows<{ receiver: string }>(RESEND, [id, now]))[0]?.receiver ?? null;
