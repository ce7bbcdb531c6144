import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { afterCommit, type Database, traceHeaders, type Tx } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import { Relay } from './relay';

const INSERT = 'INSERT INTO outbox (id, stream, subject, payload, headers)';

const valuesOf = <T>(id: string, { stream, subject, codec }: EventType<T>, message: T): unknown[] => [
  id,
  stream,
  subject,
  Buffer.from(codec.encode(message).finish()),
  JSON.stringify(traceHeaders()),
];

/** One constant statement that writes what the fact is about, with RETURNING where it did. */
interface Fact {
  readonly projectId: string;
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly before?: Parameters<Database['projectQuery']>[3];
}

/** A message with the id by which the broker and its consumers recognize repetitions. */
export interface OutboxMessage {
  readonly id: string;
  readonly stream: string;
  readonly subject: string;
  readonly payload: Buffer;
}

export function outboxMessage<T>(
  { stream, subject, codec }: EventType<T>,
  message: T,
  { id = newId() }: { id?: string } = {},
): OutboxMessage {
  return { id, stream, subject, payload: Buffer.from(codec.encode(message).finish()) };
}

@Injectable()
export class Outbox {
  constructor(private readonly relay: Relay) {}

  /**
   * Tells a fact if, and only if, the transaction commits. The id is what consumers and the broker know repetitions by: a message
   * that is added again while it still waits is the one that waits.
   */
  async add<T>(tx: EntityManager, type: EventType<T>, message: T, { id = newId() }: { id?: string } = {}): Promise<void> {
    await tx.query(`${INSERT} VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`, valuesOf(id, type, message));
    afterCommit(tx, () => this.relay.nudge());
  }

  /** Adds all messages of one command with one statement. They are published if, and only if, the transaction commits. */
  async addAll(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const column = <K extends keyof OutboxMessage>(key: K): OutboxMessage[K][] => messages.map((message) => message[key]);
    await tx.execute(
      `${INSERT} SELECT id, stream, subject, payload, $5::jsonb
       FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS message (id, stream, subject, payload)
       ON CONFLICT (id) DO NOTHING`,
      [column('id'), column('stream'), column('subject'), column('payload'), JSON.stringify(traceHeaders())],
    );
    afterCommit(tx, () => this.relay.nudge());
  }

  /** Both in one statement, in one round trip. False, and nothing is told, where the statement wrote nothing. */
  async addWith<T>(database: Database, { projectId, sql, params, before }: Fact, type: EventType<T>, message: T): Promise<boolean> {
    const [id, stream, subject, payload, headers] = [1, 2, 3, 4, 5].map((n) => `$${params.length + n}`);
    const told = await database.projectQuery(
      projectId,
      `WITH fact AS (${sql}) ${INSERT} SELECT ${id}, ${stream}, ${subject}, ${payload}::bytea, ${headers}::jsonb FROM fact RETURNING id`,
      [...params, ...valuesOf(newId(), type, message)],
      before,
    );
    if (told.length > 0) this.relay.nudge();
    return told.length > 0;
  }
}
