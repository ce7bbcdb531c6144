import type { ReportEventName } from '@tire/contracts/limits';
import { type Database, sealedColumn, type SealingKeys, type Tx } from '@tire/platform';
import type { NextStep } from '../domain/callback-schedule';
import type { Room } from './callback.places';
import { forgetListened } from '../listeners/listener.store';
import type { StoredSecret } from '../webhook-secrets/webhook-secret.store';

interface Callback {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  /** Sealed. */
  readonly body: Buffer;
  readonly traceHeaders: Record<string, string>;
  readonly queuedAt: Date;
  /** So many first attempts fail on purpose: a well-known photograph of the sandbox wants it. */
  readonly failsFirst: number;
}

export type NewCallback = Callback &
  (
    | { readonly type: ReportEventName; readonly reportId: string; readonly analysisRevision: string | null }
    | { readonly type: 'callback.test'; readonly reportId: null; readonly analysisRevision: null }
  );

export interface ClaimedCallback extends Callback {
  readonly type: NewCallback['type'];
  readonly reportId: string | null;
  readonly receiver: string;
  readonly attempt: number;
  /** Counts from 1 again after a person sends the callback again. */
  readonly attemptOfSchedule: number;
  readonly triedSince: Date;
  /** The valid signing secrets, newest first. Empty if the project never had one. */
  readonly secrets: readonly StoredSecret[];
}

type ClaimedRow = Omit<ClaimedCallback, 'secrets'> & { readonly secrets: readonly (readonly [id: string, hex: string])[] | null };

/** How many attempts may begin now: of each of these receivers, and of each project. */
export interface Capacity {
  readonly receivers: ReadonlyMap<string, number>;
  readonly projects: ReadonlyMap<string, Room>;
}

export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
}

export interface EndedAttempt {
  readonly callback: Pick<ClaimedCallback, 'id' | 'attempt'>;
  readonly attempt: Attempt;
  readonly next: NextStep;
}

const INSERT = `
  INSERT INTO callbacks (id, project_id, type, report_id, analysis_revision, url, body, trace_headers, queued_at, next_attempt_at, fails_first)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10) ON CONFLICT (report_id, analysis_revision, type) DO NOTHING RETURNING receiver`;

/**
 * The receivers with a due callback. Each receiver costs one descent of the index, to its first pending callback. So the cost grows with
 * the number of receivers and not with the number of callbacks.
 */
export const SELECT_DUE_RECEIVERS = `
  WITH RECURSIVE first AS (
    (SELECT receiver, next_attempt_at FROM callbacks WHERE state = 'pending' ORDER BY receiver, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT following.* FROM first CROSS JOIN LATERAL (
      SELECT receiver, next_attempt_at FROM callbacks WHERE state = 'pending' AND receiver > first.receiver
      ORDER BY receiver, next_attempt_at LIMIT 1) following
  )
  SELECT receiver FROM first WHERE next_attempt_at <= $1 ORDER BY next_attempt_at`;

/** Those of one receiver, the oldest first. The search for new ones passes all that are sent again: a thousand of a project at most. */
const dueOf = (again: boolean, condition: string): string => `
      SELECT * FROM (
        SELECT id, project_id, next_attempt_at, attempt_count > attempts_before AS retry, ${again} AS again FROM callbacks
        WHERE state = 'pending' AND receiver = named.receiver AND next_attempt_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
          AND ${condition}
        ORDER BY next_attempt_at LIMIT named.room FOR UPDATE SKIP LOCKED) due`;

/**
 * Takes due callbacks up to the capacity of each receiver and of its project. A claim moves the next attempt to the end of the claim, so no
 * other claim finds it. First attempts come before retries, and retries have a capacity of their own. What is sent again comes last: a replay
 * makes a thousand due at once.
 */
export const CLAIM = `
  WITH fair AS (
    SELECT due.* FROM unnest($3::text[], $4::int[]) AS named (receiver, room) CROSS JOIN LATERAL (
      ${dueOf(false, 'tried_since IS NULL')}
      UNION ALL
      ${dueOf(true, 'tried_since IS NOT NULL AND project_id = left(named.receiver, 36)::uuid')}
      ORDER BY again, next_attempt_at LIMIT named.room) due
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY project_id, retry ORDER BY again, next_attempt_at) AS place FROM fair
  ), allowed AS (
    SELECT id, most, row_number() OVER (PARTITION BY project_id ORDER BY retry, again, next_attempt_at) AS place
      FROM ranked JOIN unnest($5::uuid[], $6::int[], $7::int[]) AS room (project_id, most, retries) USING (project_id)
     WHERE NOT retry OR place <= retries
  ), chosen AS (
    SELECT id FROM allowed WHERE place <= most
  )
  UPDATE callbacks c SET claimed_until = $2, next_attempt_at = $2, attempt_count = attempt_count + 1
  FROM chosen WHERE c.id = chosen.id
  RETURNING c.id, type, project_id AS "projectId", report_id AS "reportId", receiver, url, body, trace_headers AS "traceHeaders",
    queued_at AS "queuedAt", fails_first AS "failsFirst", attempt_count AS attempt, attempt_count - attempts_before AS "attemptOfSchedule",
    coalesce(tried_since, queued_at) AS "triedSince",
    (SELECT json_agg(json_build_array(s.id, encode(s.secret, 'hex')) ORDER BY s.created_at DESC) FROM webhook_secrets s
      WHERE s.project_id = c.project_id AND (s.expires_at IS NULL OR s.expires_at > $1)) AS secrets`;

/**
 * An attempt that outlives its claim, or its report, can still mark the callback as delivered. It cannot schedule another attempt. The
 * answer is not stored if the report was discarded meanwhile.
 */
const RECORD_ATTEMPTS = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::bytea[], $8::text[], $9::timestamptz[])
      AS g (id, number, started_at, duration_ms, http_status, failure, answer, state, next_attempt_at)
  ), recorded AS (
    INSERT INTO callback_attempts (callback_id, number, project_id, started_at, duration_ms, http_status, failure, answer)
    SELECT g.id, g.number, c.project_id, g.started_at, g.duration_ms, g.http_status, g.failure, CASE c.url WHEN '' THEN NULL ELSE g.answer END
    FROM given g JOIN callbacks c ON c.id = g.id
  )
  UPDATE callbacks c SET state = g.state, next_attempt_at = coalesce(g.next_attempt_at, c.next_attempt_at), claimed_until = NULL
  FROM given g WHERE c.id = g.id AND ((c.attempt_count = g.number AND c.state = 'pending') OR g.state = 'delivered')`;

/** An attempt failed, and not on purpose. */
const FAILED = `attempt_count - attempts_before - fails_first > CASE WHEN claimed_until IS NULL THEN 0 ELSE 1 END`;

/**
 * The oldest callback may wait for a receiver that is down for days. Overdue is the delay of this service alone: what is sent again is left
 * out, because a replay makes more due at once than its receiver takes.
 */
const SELECT_WAITING = `
  WITH waiting AS (
    SELECT count(*) AS pending, min(queued_at) AS queued_at, min(next_attempt_at) FILTER (WHERE tried_since IS NULL) AS due_at,
      bool_or(${FAILED}) AS failing
    FROM callbacks WHERE state = 'pending' GROUP BY receiver)
  SELECT coalesce(sum(pending), 0)::int AS pending, coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float AS "oldestS",
    greatest(coalesce(extract(epoch FROM now() - min(due_at)), 0), 0)::float AS "overdueS",
    coalesce(max(pending), 0)::int AS "ofReceiver", (count(*) FILTER (WHERE failing))::int AS "failingReceivers"
  FROM waiting`;

/** The receivers for which most callbacks wait, and how the last attempt at one of them ended. */
const SELECT_RECEIVERS = `
  WITH waiting AS (
    SELECT receiver, count(*)::int AS pending, min(queued_at) AS oldest, min(next_attempt_at) AS next,
      (array_agg(id ORDER BY attempt_count DESC))[1] AS tried
    FROM callbacks WHERE state = 'pending' GROUP BY receiver ORDER BY pending DESC, oldest LIMIT $1)
  SELECT receiver, pending, oldest, next, last.number AS attempts, last.http_status AS status, last.failure
  FROM waiting LEFT JOIN LATERAL (
    SELECT number, http_status, failure FROM callback_attempts WHERE callback_id = tried ORDER BY number DESC LIMIT 1) last ON true
  ORDER BY pending DESC, oldest`;

const ERASE = `
  UPDATE callbacks SET body = NULL, url = '', trace_headers = '{}', state = CASE state WHEN 'pending' THEN 'abandoned' ELSE state END
  WHERE report_id = $1`;

const STOP = `UPDATE callbacks SET state = 'abandoned' WHERE report_id = ANY($1) AND state = 'pending'`;

const ERASE_ANSWERS = `
  UPDATE callback_attempts SET answer = NULL WHERE callback_id IN (SELECT id FROM callbacks WHERE report_id = $1)`;

export const CALLBACK_BODY = sealedColumn({ table: 'callbacks', column: 'body', key: ['id'] });

export const sealedBody = (keys: SealingKeys, projectId: string, id: string, body: string): Buffer =>
  CALLBACK_BODY.seal(keys, { projectId, id }, body);

export const openBody = (keys: SealingKeys, { projectId, id, body }: Pick<Callback, 'projectId' | 'id' | 'body'>): string =>
  CALLBACK_BODY.open(keys, { projectId, id }, body).toString();

/** Returns the receiver, or null if a callback of this type exists already for the analysis revision. */
export async function insertCallback(tx: Tx, callback: NewCallback): Promise<string | null> {
  const { id, projectId, type, reportId, analysisRevision, url, body, traceHeaders, queuedAt, failsFirst } = callback;
  const params = [id, projectId, type, reportId, analysisRevision, url, body, JSON.stringify(traceHeaders), queuedAt, failsFirst];
  const [row] = await tx.rows<{ receiver: string }>(INSERT, params);
  return row?.receiver ?? null;
}

/** The receiver whose callback is due longest comes first. */
export async function dueReceivers(database: Database, now: Date): Promise<string[]> {
  const rows = await database.systemQuery<{ receiver: string }>(SELECT_DUE_RECEIVERS, [now]);
  return rows.map(({ receiver }) => receiver);
}

/** Gives due callbacks to this process until `claimedUntil`. After that another process may claim them, for example if this one died. */
export async function claimCallbacks(database: Database, capacity: Capacity, now: Date, claimedUntil: Date): Promise<ClaimedCallback[]> {
  const { receivers, projects } = capacity;
  const rooms = [...projects.values()];
  const params = [
    ...[now, claimedUntil, [...receivers.keys()], [...receivers.values()], [...projects.keys()]],
    ...[rooms.map(({ all }) => all), rooms.map(({ retries }) => retries)],
  ];
  const rows = await database.systemQuery<ClaimedRow>(CLAIM, params);
  return rows.map(({ secrets, ...callback }) => ({
    ...callback,
    secrets: (secrets ?? []).map(([id, hex]) => ({ id, secret: Buffer.from(hex, 'hex') })),
  }));
}

export async function recordAttempts(database: Database, ended: readonly EndedAttempt[]): Promise<void> {
  const column = <T>(valueOf: (one: EndedAttempt) => T): T[] => ended.map(valueOf);
  await database.systemQuery(RECORD_ATTEMPTS, [
    column(({ callback }) => callback.id),
    column(({ callback }) => callback.attempt),
    column(({ attempt }) => attempt.startedAt),
    column(({ attempt }) => attempt.durationMs),
    column(({ attempt }) => attempt.httpStatus),
    column(({ attempt }) => attempt.failure),
    column(({ attempt }) => attempt.answer),
    column(({ next }) => (next.kind === 'retry' ? 'pending' : next.kind)),
    column(({ next }) => (next.kind === 'retry' ? next.at : null)),
  ]);
}

/** Ends the callbacks of a discarded report, and erases their bodies and the answers of receivers. */
export async function eraseCallbacks(tx: Tx, reportId: string): Promise<void> {
  await tx.execute(ERASE, [reportId]);
  await tx.execute(ERASE_ANSWERS, [reportId]);
  await forgetListened(tx, reportId);
}

/** Of discarded reports whose data stays. */
export const stopCallbacks = (tx: Tx, reportIds: readonly string[]): Promise<number> => tx.execute(STOP, [reportIds]);

interface WaitingCallbacks {
  readonly pending: number;
  readonly oldestS: number;
  readonly overdueS: number;
  /** The most that wait for one receiver. */
  readonly ofReceiver: number;
  /** Receivers with a callback of which an attempt failed. */
  readonly failingReceivers: number;
}

export async function waitingCallbacks(database: Database): Promise<WaitingCallbacks> {
  const [waiting] = await database.systemQuery<WaitingCallbacks>(SELECT_WAITING);
  return waiting!;
}

interface WaitingReceiver {
  readonly project_id: string;
  readonly origin: string;
  readonly pending: number;
  readonly oldest: Date;
  readonly next: Date;
  readonly attempts: number | null;
  readonly status: number | null;
  readonly failure: string | null;
}

/** A receiver is the id of a project and an origin. */
const PROJECT_ID_LENGTH = 36;

/** For an operator: at most `limit` receivers, the one with the most callbacks first. */
export async function waitingReceivers(database: Database, limit: number): Promise<WaitingReceiver[]> {
  const rows = await database.systemQuery<Omit<WaitingReceiver, 'project_id' | 'origin'> & { receiver: string }>(SELECT_RECEIVERS, [limit]);
  return rows.map(({ receiver, ...row }) => ({
    project_id: receiver.slice(0, PROJECT_ID_LENGTH),
    origin: receiver.slice(PROJECT_ID_LENGTH).trim(),
    ...row,
  }));
}
