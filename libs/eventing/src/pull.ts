import type { StreamName } from '@tire/contracts/events';
import { logger } from '@tire/platform';
import {
  AckPolicy,
  createInbox,
  DeliverPolicy,
  nanos,
  NatsError,
  type ConsumerConfig,
  type Msg,
  type NatsConnection,
  type Subscription,
} from 'nats';
import type { Broker } from './broker';
import { atMost, pause, throttle } from './pause';

export interface PullOptions {
  readonly stream: StreamName;
  readonly durable: string;
  readonly filterSubject: string;
  readonly ackWaitMs: number;
  /** The maximum of messages in flight, without those that left their place. */
  readonly inHand: number;
  /** Pulling starts only if this is true. */
  ready(): Promise<boolean>;
  handle(message: Msg, leavePlace: () => void): Promise<void>;
}

/** Delayed messages count as pending. With the broker's default of 1,000, the delayed messages of one project would block all new ones. */
const PENDING_MAX = 100_000;
const RETRY_MS = 250;
const REQUEST_EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** Two heartbeats and a half. */
const SILENCE_MAX_MS = 12_500;
const DRAIN_TIMEOUT_MS = 2_000;
const STATUS_HEARTBEAT = 100;
/** The request has ended: it expired, or there is no message. */
const STATUS_ENDED: readonly number[] = [404, 408];
const CONSUMER_EXISTS_OTHERWISE = [10_012, 10_148];

const configOf = ({ durable, filterSubject, ackWaitMs }: PullOptions): Partial<ConsumerConfig> & { durable_name: string } => ({
  durable_name: durable,
  filter_subject: filterSubject,
  ack_policy: AckPolicy.Explicit,
  ack_wait: nanos(ackWaitMs),
  deliver_policy: DeliverPolicy.All,
  // Delivery counts deliveries: a message that the broker stops delivering would be lost silently.
  max_deliver: -1,
  max_ack_pending: PENDING_MAX,
});

/**
 * One durable pull consumer that survives every failure of the broker. It uses the pull protocol directly (one request, then messages and
 * status lines on a reply subject), because it must stop without losing messages that are already on their way. The iterators of the
 * client drop such messages, and the broker delivers them again only after the acknowledgement wait.
 */
export class Pull {
  private readonly log = logger('eventing');
  private readonly seldom = throttle();
  private readonly stopping = new AbortController();
  private readonly inFlight = new Set<Promise<void>>();
  /** The messages in flight that hold a place. */
  private placesTaken = 0;
  private requested = 0;
  /** Requests messages for the free places over the current connection. A handler may have begun over an earlier one. */
  private refill = (): void => undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly broker: Broker,
    private readonly options: PullOptions,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Requests no more messages and handles those that are in flight or on their way. */
  async drain(): Promise<void> {
    this.stopping.abort();
    await this.running;
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const { connection } = this.broker;
      if (connection && (await this.options.ready())) await this.pullOver(connection);
      // This is also the delay after a reconnect.
      if (!signal.aborted) await pause(RETRY_MS, signal);
    }
  }

  private async pullOver(connection: NatsConnection): Promise<void> {
    try {
      await this.broker.ensure(connection, this.options.stream);
      await this.ensureConsumer(connection);
      await this.pullUntilBroken(connection);
    } catch (error) {
      this.broker.forget(this.options.stream);
      this.seldom(() => this.log.warn({ err: error, consumer: this.options.durable }, 'Messages cannot be consumed; retrying'));
    }
  }

  private async ensureConsumer(connection: NatsConnection): Promise<void> {
    const { stream, durable } = this.options;
    const config = configOf(this.options);
    const manager = await connection.jetstreamManager({ checkAPI: false });
    try {
      await manager.consumers.add(stream, config);
    } catch (error) {
      if (!(error instanceof NatsError) || !CONSUMER_EXISTS_OTHERWISE.includes(error.api_error?.err_code ?? 0)) throw error;
      await manager.consumers.update(stream, durable, config);
    }
  }

  private async pullUntilBroken(connection: NatsConnection): Promise<void> {
    const broken = new AbortController();
    const inbox = createInbox(this.broker.inboxPrefix);
    let lastMessageMs = performance.now();
    this.requested = 0;
    this.refill = () => {
      if (this.requested > 0 || connection.isClosed() || broken.signal.aborted || this.stopping.signal.aborted) return;
      const batch = this.options.inHand - this.placesTaken;
      if (batch <= 0) return;
      this.requested = batch;
      lastMessageMs = performance.now();
      this.request(connection, inbox, batch);
    };
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        lastMessageMs = performance.now();
        if (error) return broken.abort();
        this.receive(message, broken);
      },
    });
    const watchdog = setInterval(() => {
      if (this.requested > 0 && performance.now() - lastMessageMs > SILENCE_MAX_MS) broken.abort();
    }, HEARTBEAT_MS);
    const forget = this.broker.onChange(() => broken.abort());
    this.refill();
    await aborted(AbortSignal.any([broken.signal, this.stopping.signal]));
    clearInterval(watchdog);
    forget();
    await this.unsubscribe(connection, subscription);
  }

  private request(connection: NatsConnection, inbox: string, batch: number): void {
    const { stream, durable } = this.options;
    const request = { batch, expires: nanos(REQUEST_EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, JSON.stringify(request), { reply: inbox });
  }

  private receive(message: Msg, broken: AbortController): void {
    const status = message.headers?.code ?? 0;
    if (status === STATUS_HEARTBEAT) return;
    if (status === 0) {
      this.requested -= 1;
      const leavePlace = this.takePlace();
      const handled = this.options.handle(message, leavePlace).finally(() => {
        this.inFlight.delete(handled);
        leavePlace();
      });
      this.inFlight.add(handled);
    } else {
      this.requested = 0;
      // Any other status (consumer deleted, broker shutting down, too many pending): start again after a pause.
      if (!STATUS_ENDED.includes(status)) broken.abort();
    }
    this.refill();
  }

  private takePlace(): () => void {
    let isTaken = true;
    this.placesTaken += 1;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.placesTaken -= 1;
      this.refill();
    };
  }

  /** Unsubscribes and waits for the reply of the broker. Every earlier message has arrived by then. */
  private async unsubscribe(connection: NatsConnection, subscription: Subscription): Promise<void> {
    if (this.broker.connection !== connection) return subscription.unsubscribe();
    await atMost(DRAIN_TIMEOUT_MS, subscription.drain());
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
