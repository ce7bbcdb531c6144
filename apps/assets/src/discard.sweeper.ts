import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Clock } from '@tire/kernel';
import { logger, Repeating } from '@tire/platform';
import { DiscardService } from './discard.service';
import { DiscardStore } from './discard.store';
import { CLOCK } from './tokens';

const SWEEP_EVERY_MS = 60_000;
const CLAIM_LIMIT = 20;
/** Longer than so many reports take; also how long one waits whose removal failed. */
const CLAIM_MS = 600_000;

/**
 * Clears a discarded report once more when its last upload address has expired: until then the storage takes what is sent there.
 * Runs in every instance: a report that one has claimed is skipped by the others.
 */
@Injectable()
export class DiscardSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('assets.discard');
  private readonly turns = new Repeating(SWEEP_EVERY_MS, () => this.sweepAll(), this.log);
  private stopped = false;

  constructor(
    private readonly store: DiscardStore,
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

  /** Returns how many reports it claimed. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const due = await this.store.claimDue(CLAIM_LIMIT, now, new Date(now.getTime() + CLAIM_MS));
    for (const report of due) {
      if (this.stopped) break;
      try {
        await this.discards.clear(report);
        await this.store.markSwept(report);
      } catch (error) {
        this.log.warn({ err: error, report_id: report.reportId }, 'A discarded report was not swept; it is tried again');
      }
    }
    return due.length;
  }

  private async sweepAll(): Promise<void> {
    while (!this.stopped && (await this.sweep()) === CLAIM_LIMIT);
  }
}
