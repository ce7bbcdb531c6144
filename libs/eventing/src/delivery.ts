import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { EventType } from '@tire/contracts';
import { ATTRIBUTES, logger, SPANS, withRemoteTrace } from '@tire/platform';
import { headers as newHeaders, nanos, type Msg, type NatsConnection } from 'nats';
import type { DeadLetters } from './dead-letters';
import { parseAckSubject } from './domain/ack-subject';
import { backoffMs } from './domain/backoff';
import { consumed, redelivered } from './metrics';

export interface HandlingContext {
  /** The same for every delivery of a message, and for what was published again under the same id. */
  readonly id: string;
  /** 1 for the first time. */
  readonly deliveryCount: number;
  /** Aborted when the process must end and can wait no longer: the message is then delivered again. */
  readonly signal: AbortSignal;
}

export interface Handler<T> {
  readonly type: EventType<T>;
  readonly durable: string;
  readonly ackWaitMs: number;
  readonly maxDeliver: number;
  handle(message: T, context: HandlingContext): Promise<void>;
  onExhausted?(message: T, cause: unknown): Promise<void>;
}

/** Thrown by a handler of work that there is no room for just now: it comes again, as often as it takes, and is not given up. */
export class NotNow extends Error {
  override name = 'NotNow';

  constructor(readonly delayMs: number) {
    super('There is no room for it just now');
  }
}

class DeliveriesUsedUp extends Error {
  override name = 'DeliveriesUsedUp';
}

const log = logger('eventing');

const ID = 'Nats-Msg-Id';
/** The id of a message whose copy was put at the end of its queue: that one needs an id of its own, or the stream would drop it. */
const FIRST_ID = 'Tire-First-Id';

const ACK = '+ACK';
const WORKING = '+WPI';
const TERM = '+TERM';
const nak = (delayMs: number) => `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`;

function plainHeaders(message: Msg): Record<string, string> {
  return Object.fromEntries((message.headers?.keys() ?? []).map((name) => [name, message.headers!.get(name)]));
}

/** One delivery of one message: handled and acknowledged, asked for again later, or given up where it can be seen. */
export class Delivery<T> {
  private readonly headers: Record<string, string>;
  private readonly id: string;
  private readonly count: number;
  private readonly streamSequence: number | undefined;

  constructor(
    private readonly handler: Handler<T>,
    private readonly connection: NatsConnection,
    private readonly message: Msg,
    private readonly deadLetters: DeadLetters,
    private readonly signal: AbortSignal,
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
      // Giving up or putting back failed too: the message stays until that succeeds.
      log.error({ err: error, ...this.fields() }, 'message could not be given up or put back, trying again');
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
      return this.giveUp(cause);
    }
    // The process that had the last delivery did not live to tell.
    if (this.count > this.handler.maxDeliver)
      return this.exhaust(decoded, new DeliveriesUsedUp(`no success in ${this.handler.maxDeliver} deliveries`));
    try {
      await this.handler.handle(decoded, { id: this.id, deliveryCount: this.count, signal: this.signal });
    } catch (cause) {
      return this.failed(decoded, cause);
    }
    this.answer(ACK);
    consumed.add(1, this.attributes());
  }

  /**
   * The broker counts every delivery, also those that nothing was tried in. So that they do not use up those of a message that waits for
   * long, half of them are left for failures: then a copy, which is counted anew, takes its place.
   */
  private async putBack(delayMs: number): Promise<void> {
    if (this.count < this.handler.maxDeliver / 2) return this.answer(nak(delayMs));
    const headers = newHeaders();
    for (const [name, value] of Object.entries({ ...this.headers, [FIRST_ID]: this.id })) headers.set(name, value);
    const msgID = `${this.id}:again:${this.streamSequence}`;
    await this.connection.jetstream().publish(this.message.subject, this.message.data, { msgID, headers });
    this.answer(ACK);
  }

  private async failed(decoded: T, cause: unknown): Promise<void> {
    trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR });
    // Cut short by the end of this process: another one shall have it at once.
    if (this.signal.aborted) return this.answer(nak(0));
    if (cause instanceof NotNow) return this.putBack(cause.delayMs);
    if (this.count >= this.handler.maxDeliver) return this.exhaust(decoded, cause);
    const delayMs = backoffMs(this.count);
    log.warn({ err: cause, ...this.fields(), delay_ms: delayMs }, 'message not handled, it comes again');
    this.answer(nak(delayMs));
  }

  private async exhaust(decoded: T, cause: unknown): Promise<void> {
    await this.handler.onExhausted?.(decoded, cause);
    await this.giveUp(cause);
  }

  private async giveUp(cause: unknown): Promise<void> {
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
    });
    this.answer(TERM);
  }

  private answer(word: string): void {
    // A connection that was closed meanwhile cannot carry it: the message comes again, as after any lost acknowledgement.
    if (!this.connection.isClosed()) this.message.respond(Buffer.from(word));
  }

  private attributes() {
    return { [ATTRIBUTES.subject]: this.message.subject, [ATTRIBUTES.consumer]: this.handler.durable };
  }

  private fields() {
    return { subject: this.message.subject, consumer: this.handler.durable, message_id: this.id, delivery_count: this.count };
  }
}
