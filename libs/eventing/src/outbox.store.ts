import type { StreamName } from '@tire/contracts/events';
import type { Database, Tx } from '@tire/platform';

/** A message with the id by which the broker and its consumers recognize repetitions. */
export interface OutboxMessage {
  readonly id: string;
  readonly stream: StreamName;
  readonly subject: string;
  readonly payload: Buffer;
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
  INSERT INTO outbox (id, stream, subject, payload, headers)
  SELECT id, stream, subject, payload, $5::jsonb FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS message (id, stream, subject, payload)
  ON CONFLICT (id) DO NOTHING`;

const CLAIM = `
  SELECT position, id, stream, subject, payload, headers, attempts FROM outbox
  WHERE next_attempt_at <= now() ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED`;

const COUNT_ATTEMPT = `
  UPDATE outbox SET attempts = $2, last_error = $3, next_attempt_at = now() + $4 * interval '1 millisecond' WHERE position = $1`;

const BACKLOG = `
  SELECT count(*)::int AS pending, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS "oldestAgeS" FROM outbox`;

/** A message whose id already waits is not added again. */
export async function insertMessages(tx: Tx, messages: readonly OutboxMessage[], headers: Record<string, string>): Promise<void> {
  const column = <K extends keyof OutboxMessage>(key: K): OutboxMessage[K][] => messages.map((message) => message[key]);
  await tx.execute(INSERT, [column('id'), column('stream'), column('subject'), column('payload'), JSON.stringify(headers)]);
}

/** Locks the oldest messages that are due, until the transaction ends. Another relay gets the next ones. */
export const claimMessages = (tx: Tx, limit: number): Promise<OutboxRow[]> => tx.rows<OutboxRow>(CLAIM, [limit]);

export const deleteMessages = (tx: Tx, positions: readonly string[]): Promise<number> =>
  tx.execute('DELETE FROM outbox WHERE position = ANY ($1::bigint[])', [positions]);

export const countAttempt = (tx: Tx, position: string, attempts: number, cause: string, delayMs: number): Promise<number> =>
  tx.execute(COUNT_ATTEMPT, [position, attempts, cause, delayMs]);

export async function readBacklog(database: Database): Promise<Backlog> {
  const [backlog] = await database.systemQuery<Backlog>(BACKLOG);
  return backlog!;
}
