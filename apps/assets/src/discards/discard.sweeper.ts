import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import { DiscardService } from './discard.service';
import { claimDue, markSwept } from './discard.store';

const SWEEP_EVERY_MS = 60_000;
const CLAIM_LIMIT = 20;
/** Longer than the claimed reports take. A report whose removal failed is retried after this time. */
const CLAIM_MS = 600_000;

/**
 * Clears a discarded report once more after its last upload address has expired: until then the object store accepts uploads.
 * Runs in every instance; an instance skips the reports that another one has claimed.
 */
@Injectable()
export class DiscardSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('assets.discard');
  private readonly turns = periodicTask(SWEEP_EVERY_MS, () => this.sweepAll(), this.log);
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly discards: DiscardService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  /** Returns the number of reports that it claimed. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const due = await this.database.asSystem((tx) => claimDue(tx, CLAIM_LIMIT, now, new Date(now.getTime() + CLAIM_MS)));
    for (const report of due) {
      if (this.stopped) break;
      try {
        await this.discards.clear(report);
        await this.database.withProject(report.projectId, (tx) => markSwept(tx, report.reportId));
      } catch (error) {
        this.log.warn({ err: error, report_id: report.reportId }, 'Sweeping a discarded report failed; it is retried');
      }
    }
    return due.length;
  }

  private async sweepAll(): Promise<void> {
    while (!this.stopped && (await this.sweep()) === CLAIM_LIMIT);
  }
}
