import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { deleteOldAnswers } from '../creation/idempotency.store';
import { RemovalService } from './removal.service';
import { RETENTION } from '../tokens';
import { findPurgeable } from './retention.store';

export interface RetentionSettings {
  readonly intervalMs: number;
  /** How long a report of a test project stays; 0 means forever. */
  readonly testReportDays: number;
  /** How long a repeated Idempotency-Key gets its first answer. */
  readonly idempotencyHours: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Batch sizes. A sweep continues while batches are full, so that removal keeps up with creation. */
const PURGES_AT_ONCE = 100;
const ANSWERS_AT_ONCE = 1_000;

const log = logger('ledger.retention');

/** Removes what has reached its age. Several instances may sweep at once: each step is idempotent. */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: RepeatedTask;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly removal: RemovalService,
    @Inject(RETENTION) private readonly settings: RetentionSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.turns = periodicTask(settings.intervalMs, () => this.sweep(), log);
  }

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  async sweep(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    const { testReportDays, idempotencyHours } = this.settings;
    const answersBefore = new Date(nowMs - idempotencyHours * HOUR_MS);
    await this.whileFull(ANSWERS_AT_ONCE, () => this.database.asSystem((tx) => deleteOldAnswers(tx, answersBefore, ANSWERS_AT_ONCE)));
    if (testReportDays === 0) return;
    const oldest = new Date(nowMs - testReportDays * DAY_MS);
    await this.whileFull(PURGES_AT_ONCE, () => this.purgeOlderThan(oldest));
  }

  private async whileFull(limit: number, batch: () => Promise<number>): Promise<void> {
    while (!this.stopped && (await batch()) === limit);
  }

  private async purgeOlderThan(oldest: Date): Promise<number> {
    const found = await findPurgeable(this.database, oldest, PURGES_AT_ONCE);
    for (const { projectId, reportId } of found) {
      if (this.stopped) break;
      await this.removal.purge(projectId, reportId);
    }
    if (found.length > 0) log.info({ purged: found.length }, 'Test reports are removed after their retention');
    return found.length;
  }
}
