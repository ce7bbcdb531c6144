import { Injectable } from '@nestjs/common';
import type { EventType } from '@tire/contracts/events';
import { ATTRIBUTES, traceHeaders } from '@tire/platform';
import { Broker, BrokerUnavailable, type Outgoing } from './broker';
import { published } from './metrics';

interface PublishOptions {
  readonly id: string;
  /** Default: the current trace. */
  readonly headers?: Record<string, string>;
  /** How long the broker may take to confirm. */
  readonly timeoutMs?: number;
}

/** Publishes at once, without an outbox. Only for a sender that retries: its input, or its row of waiting work, stays until publishing succeeds. */
@Injectable()
export class Publisher {
  constructor(private readonly broker: Broker) {}

  async publish<T>(type: EventType<T>, message: T, options: PublishOptions): Promise<void> {
    try {
      await this.publishOnce(type, message, options);
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      // A deleted stream gives no answer. The second attempt creates it.
      await this.publishOnce(type, message, options);
    }
  }

  /** One attempt, for a sender that has its own next one. */
  async publishOnce<T>(
    { stream, subject, codec }: EventType<T>,
    message: T,
    { id, headers = traceHeaders(), timeoutMs }: PublishOptions,
  ): Promise<void> {
    const outgoing: Outgoing = { stream, subject, id, payload: codec.encode(message).finish(), headers };
    await this.broker.publish(outgoing, timeoutMs);
    published.add(1, { [ATTRIBUTES.subject]: subject });
  }
}
