import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { EventType } from '@tire/contracts/events';
import { ATTRIBUTES, handlingMessage, logger, SPANS, withRemoteTrace } from '@tire/platform';
import type { LRUCache } from 'lru-cache';
import { headers as newHeaders, nanos, type Msg } from 'nats';
import { type Broker, BrokerUnavailable } from './broker';
import { causeText, type DeadLetters, type GivenUp } from './dead-letters';
import { parseAckSubject } from './domain/ack-subject';
import { backoffMs } from './domain/backoff';
import { consumed, redelivered } from './metrics';

export interface HandlingContext {
  /** The same for every delivery of a message, and for a message that is published again with the same id. */
  readonly id: string;
  /** 1 for the first time. */
  readonly deliveryCount: number;
  /** No process had this message before, so far as the broker knows. */
  readonly isFirst: boolean;
  /** Aborted when the process must end and cannot wait longer. The message is then delivered again. */
  readonly signal: AbortSignal;
  /**
   * The message goes on without its place, and another one is requested meanwhile. For work that takes long beside others; the handler
   * bounds how many messages do so at once.
   */
  leavePlace(): void;
}

export interface Handler<T> {
  readonly type: EventType<T>;
  readonly durable: string;
  readonly ackWaitMs: number;
  readonly maxDeliver: number;
  /** The last error of a message that was not handled, by its id. */
  readonly lastErrors: LRUCache<string, Error>;
  handle(message: T, context: HandlingContext): Promise<void>;
  onExhausted?(message: T, cause: unknown): Promise<void>;
}

/** A handler throws this if there is no capacity for the message now. It is delivered again without limit, and never given up. */
export class NotNow extends Error {
  override name = 'NotNow';

  constructor(readonly delayMs: number) {
    super('No capacity for this message now');
  }
}

class DeliveriesUsedUp extends Error {
  override name = 'DeliveriesUsedUp';

  constructor(deliveries: number, lastError: Error | undefined) {
    const reason = lastError
      ? `the last error in this process: ${causeText(lastError)}`
      : 'no error in this process: the processes that had it died, or logged its errors';
    super(`no success in ${deliveries} deliveries; ${reason}`, { cause: lastError });
  }
}

const log = logger('eventing');

const ID = 'Nats-Msg-Id';
/** The id of the original message in a copy at the end of the queue. The copy has its own id, or the stream would drop it as a duplicate. */
const FIRST_ID = 'Tire-First-Id';

const ACK = '+ACK';
const WORKING = '+WPI';
const TERM = '+TERM';
const nak = (delayMs: number) => `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`;

function plainHeaders(message: Msg): Record<string, string> {
  return Object.fromEntries((message.headers?.keys() ?? []).map((name) => [name, message.headers!.get(name)]));
}

/** One delivery of one message: it is handled and acknowledged, delivered again later, or given up as a dead letter. */
export class Delivery<T> {
  private readonly headers: Record<string, string>;
  private readonly id: string;
  private readonly count: number;
  private readonly streamSequence: number | undefined;
  private decoded: T | undefined;

  constructor(
    private readonly handler: Handler<T>,
    private readonly broker: Pick<Broker, 'connection'>,
    private readonly message: Msg,
    private readonly deadLetters: DeadLetters,
    private readonly signal: AbortSignal,
    private readonly leavePlace: () => void,
  ) {
    const delivery = parseAckSubject(message.reply ?? '');
    this.headers = plainHeaders(message);
    this.streamSequence = delivery?.streamSequence;
    this.id = this.headers[FIRST_ID] ?? this.headers[ID] ?? `${handler.type.stream}:${this.streamSequence}`;
    this.count = delivery?.count ?? 1;
  }

  async run(): Promise<void> {
    if (this.count > 1) redelivered.add(1, this.attributes());
    const working = setInterval(() => this.answer(WORKING), this.handler.ackWaitMs / 3);
    try {
      await withRemoteTrace(this.headers, SPANS.consume, this.attributes(), () => this.settle());
    } catch (error) {
      // Giving up or requeueing failed too: the message stays until that succeeds.
      handlingMessage(this.id, this.decoded, () =>
        log.error({ err: error, ...this.fields() }, 'A message could not be given up or requeued; retrying'),
      );
      this.answer(nak(backoffMs(this.count)));
    } finally {
      clearInterval(working);
    }
  }

  private async settle(): Promise<void> {
    let decoded: T;
    try {
      decoded = this.handler.type.codec.decode(this.message.data);
    } catch (cause) {
      return this.giveUp(cause, 'unreadable');
    }
    this.decoded = decoded;
    await handlingMessage(this.id, decoded, () => this.settleDecoded(decoded));
  }

  private async settleDecoded(decoded: T): Promise<void> {
    const { lastErrors, maxDeliver } = this.handler;
    // The process with the last delivery died, or the message could not be given up.
    if (this.count > maxDeliver) return this.exhaust(decoded, new DeliveriesUsedUp(maxDeliver, lastErrors.get(this.id)));
    try {
      const { id, count: deliveryCount, signal, leavePlace } = this;
      const isFirst = deliveryCount === 1 && !(FIRST_ID in this.headers);
      await this.handler.handle(decoded, { id, deliveryCount, isFirst, signal, leavePlace });
    } catch (cause) {
      return this.failed(decoded, cause);
    }
    this.answer(ACK);
    lastErrors.delete(this.id);
    consumed.add(1, this.attributes());
  }

  /**
   * The broker counts every delivery, also those without capacity. Half of the deliveries stay reserved for failures: after the first half a
   * copy with a new count replaces the message.
   */
  private async requeue(delayMs: number): Promise<void> {
    if (this.count < this.handler.maxDeliver / 2) return this.answer(nak(delayMs));
    const headers = newHeaders();
    for (const [name, value] of Object.entries({ ...this.headers, [FIRST_ID]: this.id })) headers.set(name, value);
    const msgID = `${this.id}:again:${this.streamSequence}`;
    const { connection } = this.broker;
    if (!connection) throw new BrokerUnavailable('NATS is not connected');
    await connection.jetstream().publish(this.message.subject, this.message.data, { msgID, headers });
    this.answer(ACK);
  }

  private async failed(decoded: T, cause: unknown): Promise<void> {
    trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR });
    // The process ends: another process gets the message at once.
    if (this.signal.aborted) return this.answer(nak(0));
    if (cause instanceof NotNow) return this.requeue(cause.delayMs);
    this.handler.lastErrors.set(this.id, cause instanceof Error ? cause : new Error(String(cause)));
    if (this.count >= this.handler.maxDeliver) return this.exhaust(decoded, cause);
    const delayMs = backoffMs(this.count);
    log.warn({ err: cause, ...this.fields(), delay_ms: delayMs }, 'A message is not handled; it will be delivered again');
    this.answer(nak(delayMs));
  }

  private async exhaust(decoded: T, cause: unknown): Promise<void> {
    await this.handler.onExhausted?.(decoded, cause);
    await this.giveUp(cause, 'failing');
  }

  private async giveUp(cause: unknown, reason: GivenUp): Promise<void> {
    const { subject, data } = this.message;
    const { durable } = this.handler;
    await this.deadLetters.add({
      consumer: durable,
      id: this.id,
      subject,
      payload: data,
      headers: this.headers,
      attempts: this.count,
      cause,
      reason,
    });
    this.answer(TERM);
  }

  private answer(reply: string): void {
    // The connection may be newer than the one that brought the message. Without an answer the message is delivered again.
    try {
      if (this.message.reply) this.broker.connection?.publish(this.message.reply, Buffer.from(reply));
    } catch (error) {
      log.warn({ err: error, ...this.fields() }, 'An answer could not be sent, because the connection closes');
    }
  }

  private attributes() {
    return { [ATTRIBUTES.subject]: this.message.subject, [ATTRIBUTES.consumer]: this.handler.durable };
  }

  private fields() {
    return { subject: this.message.subject, consumer: this.handler.durable, message_id: this.id, delivery_count: this.count };
  }
}
