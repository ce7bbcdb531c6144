import type { StreamName } from '@tire/contracts/events';
import type { Database, Tx } from '@tire/platform';

/** A message with the id by which the broker and its consumers recognize repetitions. */
export interface OutboxMessage {
  readonly id: string;
  readonly projectId: string;
  readonly stream: StreamName;
  readonly subject: string;
  readonly payload: Buffer;
  /** Default: the current trace. */
  readonly headers?: Record<string, string>;
}

/** A message that waits to be published. */
export interface OutboxRow extends OutboxMessage {
  readonly position: string;
  readonly headers: Record<string, string>;
  readonly attempts: number;
}

export interface Backlog {
  readonly pending: number;
  readonly oldestAgeS: number;
}

const INSERT = `
  INSERT INTO outbox (id, project_id, stream, subject, payload, headers)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::jsonb[])
  ON CONFLICT (id) DO NOTHING`;

const COLUMNS = 'position, id, project_id AS "projectId", stream, subject, payload, headers, attempts';

const CLAIM_OLDEST = `
  SELECT ${COLUMNS} FROM outbox WHERE next_attempt_at <= now() AND position <> ALL ($2::bigint[])
  ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED`;

// One probe of the index for each project, however many messages it has.
const PROJECTS = `
  WITH RECURSIVE waiting AS (
    (SELECT project_id FROM outbox WHERE project_id > $1 ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT project_id FROM outbox WHERE project_id > waiting.project_id ORDER BY project_id LIMIT 1)
    FROM waiting WHERE project_id IS NOT NULL
  )
  SELECT project_id AS "projectId" FROM waiting WHERE project_id IS NOT NULL LIMIT $2`;

const CLAIM_OF_EACH = `
  SELECT claimed.* FROM unnest($1::uuid[]) AS project (id) CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM outbox WHERE project_id = project.id AND next_attempt_at <= now()
    ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED
  ) AS claimed
  ORDER BY claimed.position`;

const COUNT_ATTEMPT = `
  UPDATE outbox SET attempts = $2, last_error = $3, next_attempt_at = now() + $4 * interval '1 millisecond' WHERE position = $1`;

const BACKLOG = `
  SELECT count(*)::int AS pending, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS "oldestAgeS" FROM outbox`;

/** A message whose id already waits is not added again. */
export async function insertMessages(tx: Tx, messages: readonly OutboxMessage[], headers: Record<string, string>): Promise<void> {
  const column = <K extends keyof OutboxMessage>(key: K): OutboxMessage[K][] => messages.map((message) => message[key]);
  const columns = [column('id'), column('projectId'), column('stream'), column('subject'), column('payload')];
  await tx.execute(INSERT, [...columns, messages.map((message) => JSON.stringify(message.headers ?? headers))]);
}

/**
 * Locks the oldest messages that are due, until the transaction ends. Another relay gets the next ones. Those that this transaction has
 * locked already are left out.
 */
export const claimOldest = (tx: Tx, limit: number, claimed: readonly OutboxRow[]): Promise<OutboxRow[]> =>
  tx.rows<OutboxRow>(CLAIM_OLDEST, [limit, claimed.map(({ position }) => position)]);

// An outbox is usually empty, so Postgres has no statistics of a backlog. It would read and sort all messages of a project for each batch.
const IN_ORDER_OF_INDEX = 'SET LOCAL enable_bitmapscan TO off';

/** The next projects with messages, in the order of their ids. Until the transaction ends, messages are read in the order of the index. */
export async function projectsAfter(tx: Tx, projectId: string, limit: number): Promise<string[]> {
  // Both statements take one round trip.
  const [, rows] = await Promise.all([tx.execute(IN_ORDER_OF_INDEX), tx.rows<{ projectId: string }>(PROJECTS, [projectId, limit])]);
  return rows.map((row) => row.projectId);
}

/** Locks the oldest messages of each of these projects that are due. */
export const claimOfEach = (tx: Tx, projectIds: readonly string[], limitOfEach: number): Promise<OutboxRow[]> =>
  tx.rows<OutboxRow>(CLAIM_OF_EACH, [projectIds, limitOfEach]);

export const deleteMessages = (tx: Tx, positions: readonly string[]): Promise<number> =>
  tx.execute('DELETE FROM outbox WHERE position = ANY ($1::bigint[])', [positions]);

export const countAttempt = (tx: Tx, position: string, attempts: number, cause: string, delayMs: number): Promise<number> =>
  tx.execute(COUNT_ATTEMPT, [position, attempts, cause, delayMs]);

export async function readBacklog(database: Database): Promise<Backlog> {
  const [backlog] = await database.systemQuery<Backlog>(BACKLOG);
  return backlog!;
}
