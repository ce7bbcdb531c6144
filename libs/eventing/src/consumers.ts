import { Injectable } from '@nestjs/common';
import { STREAMS, type EventType } from '@tire/contracts/events';
import { FairTurns } from '@tire/kernel';
import { LRUCache } from 'lru-cache';
import { setMaxListeners } from 'node:events';
import { Broker } from './broker';
import { countDead, DeadLetters } from './dead-letters';
import { Delivery, type HandlingContext } from './delivery';
import { atMost } from './pause';
import { Pull } from './pull';

export interface ConsumeOptions<T> {
  readonly type: EventType<T>;
  /** One for each service and subject. The processes of a service share its messages. */
  readonly durable: string;
  /** May take longer than ackWaitMs. Must handle repeated messages and messages out of order. */
  handle(message: T, context: HandlingContext): Promise<void>;
  /** Runs before a message is given up. Repeated until it succeeds; it may run again after a success. */
  onExhausted?(message: T, cause: unknown): Promise<void>;
  /** How many messages are handled at once. */
  readonly concurrency?: number;
  /** When a message is delivered again after its process died. */
  readonly ackWaitMs?: number;
  readonly maxDeliver?: number;
  /** Default: the subject of the type. */
  readonly filterSubject?: string;
}

const CONCURRENCY = 8;
/**
 * How many facts a process takes from a stream, which is in the order of the facts. Those that it took wait in turns by project, so none of
 * them waits for all those of another project. If the process is killed, they are delivered again after ackWaitMs.
 */
const FACTS_IN_HAND = 2_048;
const ACK_WAIT_MS = 30_000;
/** The number of deliveries. With the backoff they last about ten minutes: longer than a restart of a database or of another service. */
const MAX_DELIVER = 20;
/** The messages of a consumer whose last error is kept until they are handled or given up. */
const LAST_ERRORS = 500;
/** How long handlers may finish when the process ends, before and after their signal is aborted. */
const DRAIN_MS = 10_000;
const ABORTED_MS = 2_000;

@Injectable()
export class Consumers {
  private readonly pulls: Pull[] = [];
  private readonly ending = new AbortController();
  private started = false;

  constructor(
    private readonly broker: Broker,
    private readonly deadLetters: DeadLetters,
    /** Whether the dependencies of handlers are ready. Otherwise no message is pulled, because it could only fail. */
    private readonly ready: () => Promise<boolean>,
  ) {
    // Every message in flight may listen to it.
    setMaxListeners(0, this.ending.signal);
  }

  consume<T>(options: ConsumeOptions<T>): void {
    const {
      type,
      durable,
      concurrency = CONCURRENCY,
      ackWaitMs = ACK_WAIT_MS,
      maxDeliver = MAX_DELIVER,
      filterSubject = type.subject,
    } = options;
    const isFact = STREAMS[type.stream].kind === 'facts';
    const handler = {
      ...options,
      ackWaitMs,
      maxDeliver,
      lastErrors: new LRUCache<string, Error>({ max: LAST_ERRORS }),
      handle: isFact ? inTurns(options, concurrency) : options.handle.bind(options),
      onExhausted: options.onExhausted?.bind(options),
    };
    const pull = new Pull(this.broker, {
      stream: type.stream,
      durable,
      filterSubject,
      ackWaitMs,
      // No more work than the places, so that none waits here while another process is idle.
      inHand: isFact ? FACTS_IN_HAND : concurrency,
      ready: this.ready,
      handle: (message, leavePlace) => new Delivery(handler, this.broker, message, this.deadLetters, this.ending.signal, leavePlace).run(),
    });
    for (const reason of ['unreadable', 'failing'] as const) countDead(reason, { subject: type.subject, consumer: durable }, 0);
    this.pulls.push(pull);
    if (this.started) pull.start();
  }

  start(): void {
    this.started = true;
    for (const pull of this.pulls) pull.start();
  }

  /** Stops pulling and waits for the messages in flight. */
  async drain(): Promise<void> {
    const drained = Promise.all(this.pulls.map((pull) => pull.drain()));
    await atMost(DRAIN_MS, drained);
    this.ending.abort();
    await atMost(ABORTED_MS, drained);
  }
}

/**
 * Projects take turns: the facts of one project do not wait behind all the facts of another one. A project holds half of the places.
 * Every fact names its project.
 */
function inTurns<T>(options: ConsumeOptions<T>, concurrency: number): ConsumeOptions<T>['handle'] {
  // FACTS_IN_HAND bounds what waits.
  const turns = new FairTurns({ capacity: concurrency, ofKey: Math.ceil(concurrency / 2) });
  return async (message, context) => {
    const { projectId } = message as { projectId: string };
    await turns.run(projectId, () => options.handle(message, context), { signal: context.signal });
  };
}
