import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts/events';
import { ATTRIBUTES, traceHeaders } from '@tire/platform';
import { Broker, BrokerUnavailable, type Outgoing } from './broker';
import { published } from './metrics';

interface PublishOptions {
  readonly id: string;
  /** Default: the current trace. */
  readonly headers?: Record<string, string>;
}

/** Publishes at once, without an outbox. For a sender that repeats: its own input, or its row of waiting work, stays until publishing succeeds. */
@Injectable()
export class Publisher {
  constructor(private readonly broker: Broker) {}

  async publish<T>({ stream, subject, codec }: EventType<T>, message: T, { id, headers = traceHeaders() }: PublishOptions): Promise<void> {
    const outgoing: Outgoing = { stream, subject, id, payload: codec.encode(message).finish(), headers };
    try {
      await this.broker.publish(outgoing);
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      // A deleted stream gives no answer. The second attempt creates it.
      await this.broker.publish(outgoing);
    }
    published.add(1, { [ATTRIBUTES.subject]: subject });
  }
}
