import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, cutOf, type Clock, type RetentionKind } from '@tire/kernel';
import { Database, endingRows, logger, RetentionRules, RetentionSweep, type Ending, type RetentionDefaults } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { deleteOldAnswers } from '../creation/idempotency.store';
import { RETENTION } from '../tokens';
import { RemovalService } from './removal.service';
import { findDueReports, lagOfReports, USAGE_DAYS, USAGE_QUARTERS } from './retention.store';

export interface RetentionSettings {
  readonly intervalMs: number;
  /** What projects have that chose nothing else. `reports`: those of live projects. */
  readonly defaults: RetentionDefaults;
  /** How long a report of a test project stays that chose nothing else; 0 means forever. */
  readonly testReportDays: number;
  /** How long a repeated Idempotency-Key gets its first answer. */
  readonly idempotencyHours: number;
}

const HOUR_MS = 3_600_000;

/** Batch sizes. A sweep continues while there is more, so that removal keeps up with creation. */
const PURGES_AT_ONCE = 100;
const ANSWERS_AT_ONCE = 1_000;

const log = logger('ledger.retention');

/** Removes what has reached its age. Several instances may sweep at once: each step is idempotent. */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly rules: RetentionRules;
  private readonly turns: RetentionSweep;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly removal: RemovalService,
    @Inject(RETENTION) private readonly settings: RetentionSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.rules = new RetentionRules(database, settings.defaults, clock);
    const endings = [this.reports(), endingRows(database, this.rules, USAGE_QUARTERS), endingRows(database, this.rules, USAGE_DAYS)];
    this.turns = new RetentionSweep(endings, settings.intervalMs, clock, log, () => this.removeOldAnswers());
  }

  onApplicationBootstrap(): void {
    this.turns.start(() => this.database.dataSource.isInitialized);
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  sweep(): Promise<void> {
    return this.turns.sweep();
  }

  lag(): ReturnType<RetentionSweep['lag']> {
    return this.turns.lag();
  }

  async of({ projectId, projectMode }: ledgerApi.GetRetentionRequest): Promise<ledgerApi.GetRetentionResponse> {
    const rules = await this.rules.of(projectId);
    if (projectMode !== 'test') return { rules };
    return { rules: rules.map((rule) => (rule.kind === 'reports' ? { ...rule, defaultDays: this.settings.testReportDays } : rule)) };
  }

  async choose({ projectId, kind, days }: ledgerApi.ChooseRetentionRequest): Promise<ledgerApi.ChooseRetentionResponse> {
    await this.rules.choose(projectId, kind, days);
    return {};
  }

  async all({ kind }: ledgerApi.ListRetentionRequest): Promise<ledgerApi.ListRetentionResponse> {
    const { projects, defaultDays } = await this.rules.all(kind as RetentionKind);
    return { projects: [...projects], defaultDays };
  }

  private reports(): Ending {
    const testCut = (now: Date) => cutOf(this.settings.testReportDays, now);
    return {
      kind: 'reports',
      removeSome: async (now) => {
        const found = await findDueReports(this.database, await this.rules.cuts('reports', now), testCut(now), PURGES_AT_ONCE);
        let purged = 0;
        for (const { projectId, reportId } of found) {
          if (this.stopped) break;
          if (await this.purged(projectId, reportId)) purged += 1;
        }
        return purged;
      },
      lagS: async (now) => lagOfReports(this.database, await this.rules.cuts('reports', now), testCut(now), now),
    };
  }

  /** False also for one that is held since it was found. One that fails holds up no other: the next portion and the next sweep find it again. */
  private async purged(projectId: string, reportId: string): Promise<boolean> {
    try {
      return await this.removal.purge(projectId, reportId);
    } catch (error) {
      log.warn({ err: error, report_id: reportId }, 'A report that reached its age could not be removed. The next sweep retries it.');
      return false;
    }
  }

  private async removeOldAnswers(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.settings.idempotencyHours * HOUR_MS);
    const remove = () => this.database.asSystem((tx) => deleteOldAnswers(tx, before, ANSWERS_AT_ONCE));
    while (!this.stopped && (await remove()) === ANSWERS_AT_ONCE);
  }
}
