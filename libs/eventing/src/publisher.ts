import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts';
import { ATTRIBUTES, traceHeaders } from '@tire/platform';
import { Broker, BrokerUnavailable, type Outgoing } from './broker';
import { published } from './metrics';

/** Publishes at once and without an outbox: for a service that owns no database, whose own input is redelivered until this is done. */
@Injectable()
export class Publisher {
  constructor(private readonly broker: Broker) {}

  async publish<T>({ stream, subject, codec }: EventType<T>, message: T, { id }: { id: string }): Promise<void> {
    const outgoing: Outgoing = { stream, subject, id, payload: codec.encode(message).finish(), headers: traceHeaders() };
    try {
      await this.broker.publish(outgoing);
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      // Once more, because a stream that was deleted shows itself as no answer and is made by the second attempt.
      await this.broker.publish(outgoing);
    }
    published.add(1, { [ATTRIBUTES.subject]: subject });
  }
}
