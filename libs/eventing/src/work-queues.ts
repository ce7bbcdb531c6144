import { Injectable } from '@nestjs/common';
import { STREAMS, type EventType } from '@tire/contracts/events';
import { NatsError, type JetStreamManager } from 'nats';
import { Broker, BrokerUnavailable } from './broker';
import { Publisher } from './publisher';

/** How much work a queue holds, and how much its workers request. */
export interface Demand {
  /** Messages that no worker has taken yet. */
  readonly untaken: number;
  /** Messages that workers have and did not acknowledge yet. */
  readonly held: number;
  /** Open requests of workers. Each is for one message or more. */
  readonly asking: number;
}

export interface Work<T> {
  readonly message: T;
  /** The same for every publication of a request: the stream drops repetitions. */
  readonly id: string;
  /** The trace that the work belongs to. */
  readonly headers: Record<string, string>;
}

const CONSUMER_NOT_FOUND = 10_014;
/** The caller holds locks on the rows that it hands out, and tries again soon. */
const TIMEOUT_MS = 1_000;

/** For a service whose table is the queue: it hands out a piece of work when a worker requests one, so that the stream stays shallow. */
@Injectable()
export class WorkQueues {
  constructor(
    private readonly broker: Broker,
    private readonly publisher: Publisher,
  ) {}

  /** Throws BrokerUnavailable without a connection. */
  async demand({ stream }: EventType): Promise<Demand> {
    const { connection } = this.broker;
    if (!connection) throw new BrokerUnavailable('NATS is not connected');
    await this.broker.ensure(connection, stream);
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: TIMEOUT_MS });
    try {
      const info = await manager.consumers.info(stream, consumerOf(stream));
      return { untaken: info.num_pending, held: info.num_ack_pending, asking: info.num_waiting };
    } catch (error) {
      if (error instanceof NatsError && error.api_error?.err_code === CONSUMER_NOT_FOUND) return noWorker(manager, stream);
      // A deleted stream is created again by the next attempt.
      this.broker.forget(stream);
      throw error;
    }
  }

  /** One attempt: the row is handed out again if it fails. */
  async publish<T>(type: EventType<T>, { message, id, headers }: Work<T>): Promise<void> {
    await this.publisher.publishOnce(type, message, { id, headers, timeoutMs: TIMEOUT_MS });
  }
}

async function noWorker(manager: JetStreamManager, stream: string): Promise<Demand> {
  const { state } = await manager.streams.info(stream);
  return { untaken: state.messages, held: 0, asking: 0 };
}

function consumerOf(stream: keyof typeof STREAMS): string {
  const settings = STREAMS[stream];
  if (settings.kind !== 'work') throw new Error(`${stream} is no queue of work`);
  return settings.consumer;
}
