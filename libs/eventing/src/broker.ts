import { Injectable } from '@nestjs/common';
import { inboxPrefixOf, type StreamName, STREAMS, STREAMS_OWNER } from '@tire/contracts/events';
import { logger, natsTls, watchCertificates } from '@tire/platform';
import { connect, DebugEvents, ErrorCode, Events, headers as newHeaders, NatsError, type NatsConnection } from 'nats';
import { parseNatsUrl } from './domain/nats-url';
import { reachableServers } from './greeting';
import { atMost, pause, throttle } from './pause';
import { ensureStream } from './streams';

export interface Outgoing {
  readonly stream: StreamName;
  readonly subject: string;
  readonly id: string;
  readonly payload: Uint8Array;
  readonly headers: Record<string, string>;
}

export interface BrokerOptions {
  readonly serviceName: string;
  readonly natsUrl: string;
  /** The password of the user that has the name of the service. Without it the credentials of the address apply, if it has some. */
  readonly natsPassword?: string | undefined;
  /** How many servers keep each stream. Without it the setting of a stream stays, and a new stream is on one server. */
  readonly streamReplicas?: number | undefined;
}

/** The broker cannot be reached or cannot accept messages now. The message itself is valid. */
export class BrokerUnavailable extends Error {
  override name = 'BrokerUnavailable';
}

const RETRY_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
const ACK_TIMEOUT_MS = 5_000;
/** A dead connection is detected after two of these. */
const PING_INTERVAL_MS = 10_000;

const MESSAGE_ERRORS: readonly string[] = [
  ErrorCode.MaxPayloadExceeded,
  ErrorCode.BadSubject,
  ErrorCode.BadPayload,
  ErrorCode.BadHeader,
  ErrorCode.InvalidPayload,
];

function isMessageError(error: unknown): boolean {
  if (!(error instanceof NatsError)) return true;
  if (error.api_error) return error.api_error.code < 500;
  return MESSAGE_ERRORS.includes(error.code);
}

/**
 * Keeps a connection to NATS: connects in the background, and again after each loss. The client does not reconnect by itself: an attempt of
 * its own that times out leaves a socket behind, which begins to live when a stopped broker continues. The client then replaces the
 * connection that works without closing it, and the broker delivers to both for minutes.
 */
@Injectable()
export class Broker {
  private readonly log = logger('eventing');
  private readonly seldom = throttle();
  private readonly closing = new AbortController();
  private readonly listeners = new Set<(connection: NatsConnection | undefined) => void>();
  private readonly streams = new Map<StreamName, Promise<void>>();
  private current: NatsConnection | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: BrokerOptions) {}

  /** Undefined without a connection. */
  get connection(): NatsConnection | undefined {
    return this.current;
  }

  start(): void {
    if (this.running) return;
    this.running = this.keepConnected();
    watchCertificates('nats', natsTls(parseNatsUrl(this.options.natsUrl).servers));
  }

  /** A prefix that no other service may subscribe. */
  get inboxPrefix(): string {
    return inboxPrefixOf(this.options.serviceName);
  }

  /** The listener gets each new connection, and undefined for each lost one. */
  onChange(listener: (connection: NatsConnection | undefined) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  /** Resolves when the broker has stored the message, or already has a message with this id. */
  async publish({ stream, subject, id, payload, headers }: Outgoing, timeout = ACK_TIMEOUT_MS): Promise<void> {
    const { current } = this;
    if (!current) throw new BrokerUnavailable('NATS is not connected');
    await this.ensure(current, stream).catch((cause: unknown) => {
      throw new BrokerUnavailable(`The stream ${stream} cannot be created`, { cause });
    });
    const carried = newHeaders();
    for (const [name, value] of Object.entries(headers)) carried.set(name, value);
    try {
      await current.jetstream().publish(subject, payload, { msgID: id, headers: carried, timeout });
    } catch (error) {
      if (isMessageError(error)) throw error;
      // A missing answer may mean that the stream was deleted: the next attempt creates it again.
      this.streams.delete(stream);
      throw new BrokerUnavailable(`NATS did not accept a message for ${subject}`, { cause: error });
    }
  }

  /** Runs once for each connection, and again after a failure. */
  async ensure(connection: NatsConnection, stream: StreamName): Promise<void> {
    const known = this.streams.get(stream);
    if (known) return known;
    const { streamReplicas } = this.options;
    const ensured = connection.jetstreamManager({ checkAPI: false }).then((manager) => ensureStream(manager, stream, streamReplicas));
    this.streams.set(stream, ensured);
    ensured.catch(() => this.streams.delete(stream));
    return ensured;
  }

  /** The other services wait for the streams, and some streams are used by them only: so failures are repeated while the connection lasts. */
  private ensureAll(connection: NatsConnection): void {
    for (const stream of Object.keys(STREAMS) as StreamName[]) void this.keepEnsuring(connection, stream);
  }

  private async keepEnsuring(connection: NatsConnection, stream: StreamName): Promise<void> {
    while (connection === this.current && !this.closing.signal.aborted) {
      try {
        return await this.ensure(connection, stream);
      } catch (error) {
        this.seldom(() => this.log.warn({ err: error, stream }, 'The stream is not ready yet'));
      }
      await pause(RETRY_MS * (1 + Math.random()), this.closing.signal);
    }
  }

  forget(stream: StreamName): void {
    this.streams.delete(stream);
  }

  private async keepConnected(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const connection = await this.tryToConnect();
      if (connection) await this.follow(connection);
      await pause(RETRY_MS * (1 + Math.random()), this.closing.signal);
    }
  }

  private async tryToConnect(): Promise<NatsConnection | undefined> {
    const { serviceName, natsPassword } = this.options;
    const address = parseNatsUrl(this.options.natsUrl);
    try {
      const servers = await reachableServers(address.servers, CONNECT_TIMEOUT_MS);
      if (servers.length === 0) throw new BrokerUnavailable('No server greets');
      return await connect({
        ...address,
        servers,
        ...(natsPassword && { user: serviceName, pass: natsPassword }),
        name: serviceName,
        inboxPrefix: inboxPrefixOf(serviceName),
        timeout: CONNECT_TIMEOUT_MS,
        reconnect: false,
        pingInterval: PING_INTERVAL_MS,
        maxPingOut: 2,
      });
    } catch (error) {
      this.seldom(() => this.log.warn({ err: error }, 'NATS cannot be reached; retrying'));
      return undefined;
    }
  }

  /** Returns when the connection is lost, or closed because this process ends. */
  private async follow(connection: NatsConnection): Promise<void> {
    this.connected(connection);
    void this.watch(connection);
    const closed = connection.closed();
    await Promise.race([closed, new Promise<void>((resolve) => this.onceClosing(resolve))]);
    if (this.closing.signal.aborted && !connection.isClosed()) await this.drain(connection);
    this.disconnected(await closed);
  }

  private onceClosing(run: () => void): void {
    if (this.closing.signal.aborted) run();
    else this.closing.signal.addEventListener('abort', run, { once: true });
  }

  /** Draining waits for an answer of the broker, which does not come if the broker is unavailable. */
  private async drain(connection: NatsConnection): Promise<void> {
    if (this.current) await atMost(CONNECT_TIMEOUT_MS, connection.drain());
    await connection.close();
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const { type, data } of connection.status()) {
      if (type === Events.Error) this.log.warn({ error_code: String(data) }, 'NATS reports an error');
      // The client would first wait until its last bytes are sent, which a stopped broker does not read.
      if (type === DebugEvents.StaleConnection) await connection.close();
    }
  }

  private connected(connection: NatsConnection): void {
    this.current = connection;
    this.log.info('Connected to NATS');
    if (this.options.serviceName === STREAMS_OWNER) this.ensureAll(connection);
    for (const listener of this.listeners) listener(connection);
  }

  private disconnected(cause: void | Error): void {
    // The streams may be deleted before the next connection.
    this.streams.clear();
    this.current = undefined;
    if (!this.closing.signal.aborted) this.log.warn({ err: cause }, 'The connection to NATS is lost; reconnecting');
    for (const listener of this.listeners) listener(undefined);
  }
}
