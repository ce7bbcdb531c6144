import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { afterCommit, traceHeaders } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import { Relay } from './relay';

@Injectable()
export class Outbox {
  constructor(private readonly relay: Relay) {}

  /**
   * Tells a fact if, and only if, the transaction commits. The id is what consumers and the broker know repetitions by: a message
   * that is added again while it still waits is the one that waits.
   */
  async add<T>(tx: EntityManager, type: EventType<T>, message: T, { id = newId() }: { id?: string } = {}): Promise<void> {
    await tx.query('INSERT INTO outbox (id, stream, subject, payload, headers) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING', [
      id,
      type.stream,
      type.subject,
      Buffer.from(type.codec.encode(message).finish()),
      JSON.stringify(traceHeaders()),
    ]);
    afterCommit(tx, () => this.relay.nudge());
  }
}
