import { Injectable } from '@nestjs/common';
import { ATTRIBUTES, type Database, logger, meter, METRICS, RepeatedTask, type Tx } from '@tire/platform';
import { Broker, BrokerUnavailable } from './broker';
import { causeText, countDead, DeadLetters } from './dead-letters';
import { backoffMs } from './domain/backoff';
import { published } from './metrics';
import { Claims } from './claims';
import { countAttempt, deleteMessages, type OutboxRow, readBacklog } from './outbox.store';
import { throttle } from './pause';

type Outcome = { row: OutboxRow } & ({ kind: 'published' } | { kind: 'unavailable'; cause: unknown } | { kind: 'refused'; cause: unknown });

/** One claim is one transaction. It stays open until the broker has answered for the whole batch. */
const BATCH_MAX = 100;
/** Polling finds the messages of other processes. A message that this process adds is published at once, by a nudge. */
const POLL_MS = 1_000;
/** The number of attempts. With the backoff they last about half a minute. */
const ATTEMPTS_MAX = 8;

/** Publishes the messages of the outbox. Any number of relays may work on one outbox. */
@Injectable()
export class Relay {
  private readonly log = logger('eventing');
  private readonly seldom = throttle();
  private readonly claims = new Claims(BATCH_MAX);
  private readonly turns = new RepeatedTask(() => this.turn());

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly deadLetters: DeadLetters,
  ) {}

  start(): void {
    this.turns.start();
    this.broker.onChange((connection) => connection && this.nudge());
    this.measure();
  }

  nudge(): void {
    this.turns.nudge();
  }

  /** Finishes the current batch. Other messages stay in the outbox. */
  stop(): Promise<void> {
    return this.turns.stop();
  }

  private async turn(): Promise<number> {
    return (await this.pass()) ? 0 : POLL_MS;
  }

  /** True if there are probably more messages that the broker would accept now. */
  private async pass(): Promise<boolean> {
    if (!this.broker.connection || !this.database.dataSource.isInitialized) return false;
    try {
      return await this.database.asSystem((tx) => this.relayBatch(tx));
    } catch (error) {
      if (!this.turns.isStopped) this.seldom(() => this.log.warn({ err: error }, 'The outbox cannot be read; retrying'));
      return false;
    }
  }

  private async relayBatch(tx: Tx): Promise<boolean> {
    const rows = await this.claims.next(tx);
    const outcomes = await Promise.all(rows.map((row) => this.publish(row)));
    for (const outcome of outcomes) {
      if (outcome.kind === 'refused') await this.countAttempt(tx, outcome.row, outcome.cause);
      if (outcome.kind === 'unavailable') this.seldom(() => this.log.warn({ err: outcome.cause }, 'The outbox waits for NATS'));
    }
    const done = outcomes.filter(({ kind }) => kind === 'published').map(({ row }) => row.position);
    if (done.length > 0) await deleteMessages(tx, done);
    return this.claims.isBehind && outcomes.every(({ kind }) => kind !== 'unavailable');
  }

  private async publish(row: OutboxRow): Promise<Outcome> {
    try {
      await this.broker.publish(row);
      published.add(1, { [ATTRIBUTES.subject]: row.subject });
      return { row, kind: 'published' };
    } catch (cause) {
      return { row, kind: cause instanceof BrokerUnavailable ? 'unavailable' : 'refused', cause };
    }
  }

  private async countAttempt(tx: Tx, row: OutboxRow, cause: unknown): Promise<void> {
    const attempts = row.attempts + 1;
    if (attempts < ATTEMPTS_MAX) {
      await countAttempt(tx, row.position, attempts, causeText(cause), backoffMs(attempts));
      return;
    }
    await this.deadLetters.add({ ...row, attempts, cause, reason: 'unpublished' }, tx);
    await deleteMessages(tx, [row.position]);
  }

  private measure(): void {
    countDead('unpublished', undefined, 0);
    const depth = meter().createObservableGauge(METRICS.outboxDepth, { description: 'Messages that are not published yet' });
    const age = meter().createObservableGauge(METRICS.outboxOldestAge, { description: 'Age of the oldest of them', unit: 's' });
    meter().addBatchObservableCallback(
      async (result) => {
        if (this.turns.isStopped || !this.database.dataSource.isInitialized) return;
        const { pending, oldestAgeS } = await readBacklog(this.database);
        result.observe(depth, pending);
        result.observe(age, oldestAgeS);
      },
      [depth, age],
    );
  }
}
