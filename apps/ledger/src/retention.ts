import type { Clock } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { forgetAnswers } from './idempotency.store';
import { RemovalService } from './removal.service';
import { Repeating } from './repeating';
import { CLOCK, RETENTION } from './tokens';

export interface RetentionSettings {
  readonly intervalMs: number;
  /** How long a report of a test project stays; 0: for good. */
  readonly testReportDays: number;
  /** How long a repeated Idempotency-Key gets its first answer. */
  readonly idempotencyHours: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One sweep ends in good time, and the next one goes on. */
const PURGES_PER_SWEEP = 100;
const ANSWERS_PER_SWEEP = 1_000;

const SELECT_PURGEABLE = `
  SELECT project_id AS "projectId", report_id AS "reportId" FROM reports
  WHERE project_mode = 'test' AND purge_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT $2`;

const log = logger('ledger.retention');

/** What is kept for a time only. Several instances may sweep at once: each step finds what another has done. */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: Repeating;

  constructor(
    private readonly database: Database,
    private readonly removal: RemovalService,
    @Inject(RETENTION) private readonly settings: RetentionSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.turns = new Repeating(settings.intervalMs, () => this.sweep(), log);
  }

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  async sweep(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    const { testReportDays, idempotencyHours } = this.settings;
    const answersBefore = new Date(nowMs - idempotencyHours * HOUR_MS);
    await this.database.asSystem((tx) => forgetAnswers(tx, answersBefore, ANSWERS_PER_SWEEP));
    if (testReportDays > 0) await this.purgeOlderThan(new Date(nowMs - testReportDays * DAY_MS));
  }

  private async purgeOlderThan(oldest: Date): Promise<void> {
    const found = await this.database.asSystem((tx) =>
      tx.query<{ projectId: string; reportId: string }[]>(SELECT_PURGEABLE, [oldest, PURGES_PER_SWEEP]),
    );
    for (const { projectId, reportId } of found) await this.removal.purge(projectId, reportId);
    if (found.length > 0) log.info({ purged: found.length }, 'test reports removed whose time was over');
  }
}
