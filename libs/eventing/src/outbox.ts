import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { afterCommit, traceHeaders, type Tx } from '@tire/platform';
import { insertMessages, type OutboxMessage } from './outbox.store';
import { Relay } from './relay';

/** Every fact names its project: projects take turns in the relay and in the consumers. */
export interface OfProject {
  readonly projectId: string;
}

export function outboxMessage<T extends OfProject>(
  { stream, subject, codec }: EventType<T>,
  message: T,
  { id = newId(), ...headers }: Partial<Pick<OutboxMessage, 'id' | 'headers'>> = {},
): OutboxMessage {
  return { id, projectId: message.projectId, stream, subject, payload: Buffer.from(codec.encode(message).finish()), ...headers };
}

/** Adds messages in the transaction that changes the state. They are published if, and only if, the transaction commits. */
@Injectable()
export class Outbox {
  constructor(private readonly relay: Relay) {}

  /** The broker and its consumers recognize repetitions by the id. A message that still waits is not added a second time. */
  add<T extends OfProject>(tx: Tx, type: EventType<T>, message: T, options?: { id?: string }): Promise<void> {
    return this.addAll(tx, [outboxMessage(type, message, options)]);
  }

  /** All messages of one command, in one statement. */
  async addAll(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await insertMessages(tx, messages, traceHeaders());
    afterCommit(tx, () => this.relay.nudge());
  }
}
