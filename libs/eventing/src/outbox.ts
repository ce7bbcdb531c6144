import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { afterCommit, type Database, traceHeaders, type Tx } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import { insertMessages, type OutboxMessage } from './outbox.store';
import { Relay } from './relay';

/** One constant statement that writes the state of a message, with RETURNING for what it wrote. */
interface Fact {
  readonly projectId: string;
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly before?: Parameters<Database['projectQuery']>[3];
}

export function outboxMessage<T>(
  { stream, subject, codec }: EventType<T>,
  message: T,
  { id = newId() }: { id?: string } = {},
): OutboxMessage {
  return { id, stream, subject, payload: Buffer.from(codec.encode(message).finish()) };
}

/** Adds messages in the transaction that changes the state. They are published if, and only if, the transaction commits. */
@Injectable()
export class Outbox {
  constructor(private readonly relay: Relay) {}

  /** The broker and its consumers recognize repetitions by the id. A message that still waits is not added a second time. */
  add<T>(tx: EntityManager, type: EventType<T>, message: T, options?: { id?: string }): Promise<void> {
    return this.addAll(tx as Tx, [outboxMessage(type, message, options)]);
  }

  /** All messages of one command, in one statement. */
  async addAll(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await insertMessages(tx, messages, traceHeaders());
    afterCommit(tx, () => this.relay.nudge());
  }

  /** State and message in one statement. False, and no message, if the statement wrote nothing. */
  async addWith<T>(database: Database, { projectId, sql, params, before }: Fact, type: EventType<T>, message: T): Promise<boolean> {
    const { id, stream, subject, payload } = outboxMessage(type, message);
    const values = [1, 2, 3, 4, 5].map((n) => `$${params.length + n}`);
    const added = await database.projectQuery(
      projectId,
      `WITH fact AS (${sql}) INSERT INTO outbox (id, stream, subject, payload, headers)
       SELECT ${values[0]}, ${values[1]}, ${values[2]}, ${values[3]}::bytea, ${values[4]}::jsonb FROM fact RETURNING id`,
      [...params, id, stream, subject, payload, JSON.stringify(traceHeaders())],
      before,
    );
    if (added.length > 0) this.relay.nudge();
    return added.length > 0;
  }
}
