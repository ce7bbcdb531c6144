import { Injectable } from '@nestjs/common';
import type { StreamName } from '@tire/contracts';
import { ATTRIBUTES, logger, meter, METRICS, type Database } from '@tire/platform';
import type { PoolClient, QueryResult } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { Broker, BrokerUnavailable } from './broker';
import { causeText, DeadLetters } from './dead-letters';
import { backoffMs } from './domain/backoff';
import { published } from './metrics';
import { throttle } from './pause';

interface OutboxRow {
  position: string;
  id: string;
  stream: StreamName;
  subject: string;
  payload: Buffer;
  headers: Record<string, string>;
  attempts: number;
}

type Outcome = { row: OutboxRow } & ({ kind: 'published' } | { kind: 'unavailable'; cause: unknown } | { kind: 'refused'; cause: unknown });

/** One claim is one transaction, open until the broker has answered for the whole batch. */
const BATCH_MAX = 100;
/** Finds what another process added and what a nudge did not reach; what is added here is published at once. */
const POLL_MS = 1_000;
/** With the backoff about half a minute. */
const ATTEMPTS_MAX = 8;
/** Longer than facts are kept: a message cannot come back after its inbox row is gone. */
const INBOX_KEPT_DAYS = 14;
const PRUNE_EVERY_MS = 3_600_000;

/** With the begin, and the deletion with the end: a pass over one message, as most are, is two round trips and not four. */
const BEGIN_AND_CLAIM = `
  BEGIN;
  SELECT position, id, stream, subject, payload, headers, attempts FROM outbox
  WHERE next_attempt_at <= now() ORDER BY position LIMIT ${BATCH_MAX} FOR UPDATE SKIP LOCKED`;
const DELETE = 'DELETE FROM outbox WHERE position = $1';
const deleteAndCommit = (positions: readonly string[]): string =>
  positions.length > 0 ? `DELETE FROM outbox WHERE position IN (${positions.join()}); COMMIT` : 'COMMIT';
const COUNT_ATTEMPT = `
  UPDATE outbox SET attempts = $2, last_error = $3, next_attempt_at = now() + $4 * interval '1 millisecond' WHERE position = $1`;
const BACKLOG =
  'SELECT count(*)::int AS pending, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS oldest_age_s FROM outbox';
const PRUNE_INBOX = `DELETE FROM inbox WHERE received_at < now() - ${INBOX_KEPT_DAYS} * interval '1 day'`;

/** Carries the outbox to the broker. Any number of relays may work on one outbox. */
@Injectable()
export class Relay {
  private readonly log = logger('eventing');
  private readonly seldom = throttle();
  private stopped = false;
  private nudged = false;
  private wake: () => void = () => undefined;
  private running: Promise<void> | undefined;
  private prunedMs = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly deadLetters: DeadLetters,
  ) {}

  start(): void {
    this.running ??= this.run();
    this.broker.onChange((connection) => connection && this.nudge());
    this.measure();
  }

  nudge(): void {
    this.nudged = true;
    this.wake();
  }

  /** Finishes the batch in hand. What remains lies safe in the outbox. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.nudged = false;
      const more = await this.pass();
      if (!more && !this.nudged) await this.nudgeOrPoll();
    }
  }

  private nudgeOrPoll(): Promise<void> {
    return new Promise((resolve) => {
      const poll = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(poll);
        resolve();
      };
      if (this.stopped) this.wake();
    });
  }

  /** True when the batch was full and all of it went out: there is likely more. */
  private async pass(): Promise<boolean> {
    const { dataSource } = this.database;
    if (!this.broker.connection || !dataSource.isInitialized) return false;
    try {
      await this.prune();
      return await this.relayBatch(dataSource.createQueryRunner());
    } catch (error) {
      if (!this.stopped) this.seldom(() => this.log.warn({ err: error }, 'outbox cannot be read, trying again'));
      return false;
    }
  }

  private async relayBatch(runner: QueryRunner): Promise<boolean> {
    const client = (await runner.connect()) as PoolClient;
    try {
      const [, { rows }] = (await client.query(BEGIN_AND_CLAIM)) as unknown as [unknown, QueryResult<OutboxRow>];
      const outcomes = await Promise.all(rows.map((row) => this.publish(row)));
      for (const outcome of outcomes) {
        if (outcome.kind === 'refused') await this.countAttempt(runner.manager, outcome.row, outcome.cause);
        if (outcome.kind === 'unavailable') this.seldom(() => this.log.warn({ err: outcome.cause }, 'outbox waits for NATS'));
      }
      const done = outcomes.filter(({ kind }) => kind === 'published').map(({ row }) => row.position);
      await client.query(deleteAndCommit(done));
      return done.length === BATCH_MAX;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
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

  private async countAttempt(tx: EntityManager, row: OutboxRow, cause: unknown): Promise<void> {
    const attempts = row.attempts + 1;
    if (attempts < ATTEMPTS_MAX) {
      await tx.query(COUNT_ATTEMPT, [row.position, attempts, causeText(cause), backoffMs(attempts)]);
      return;
    }
    await this.deadLetters.add({ ...row, attempts, cause }, tx);
    await tx.query(DELETE, [row.position]);
  }

  private async prune(): Promise<void> {
    if (performance.now() - this.prunedMs < PRUNE_EVERY_MS) return;
    await this.database.dataSource.query(PRUNE_INBOX);
    this.prunedMs = performance.now();
  }

  private measure(): void {
    const depth = meter().createObservableGauge(METRICS.outboxDepth, { description: 'Messages that are not published yet' });
    const age = meter().createObservableGauge(METRICS.outboxOldestAge, { description: 'Age of the oldest of them', unit: 's' });
    meter().addBatchObservableCallback(
      async (result) => {
        const { dataSource } = this.database;
        if (this.stopped || !dataSource.isInitialized) return;
        const [backlog] = (await dataSource.query(BACKLOG)) as [{ pending: number; oldest_age_s: number }];
        result.observe(depth, backlog.pending);
        result.observe(age, backlog.oldest_age_s);
      },
      [depth, age],
    );
  }
}
