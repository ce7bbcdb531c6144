import { CLOCK, firstIdAt, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { attachVehicle } from './attachment.store';
import { findBackfill, lockUnattached, reportsBetween, saveBackfill } from './vehicle.store';

const EVERY_MS = 10_000;
const PORTION = 200;
/** A release that attaches none may create reports beside this one during an upgrade. Their ids come after those of before. */
const FOLLOWED_MS = 3_600_000;
/** Longer than any transaction may take: a report with an earlier id is committed. */
const SETTLED_AFTER_MS = 120_000;

/** Attaches reports from before there were vehicles, a portion at a time. */
@Injectable()
export class VehicleBackfill implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns = periodicTask(EVERY_MS, () => this.attach(), logger('ledger.vehicles'));
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  async attach(): Promise<void> {
    while (!this.stopped && (await this.portion()));
  }

  /**
   * True while there may be more. Each report has a transaction of its own, so that nobody waits for those of a whole portion. Two processes
   * may do the same portion; one of them moves the cursor.
   */
  private async portion(): Promise<boolean> {
    const state = await this.database.asSystem(findBackfill);
    if (!state) return false;
    const nowMs = this.clock.now().getTime();
    const { afterId, startedAt } = state;
    const beforeId = firstIdAt(nowMs - SETTLED_AFTER_MS);
    const reports = await this.database.asSystem((tx) => reportsBetween(tx, afterId, beforeId, PORTION));
    for (const report of reports)
      await this.database.asSystem(async (tx) => {
        if (await lockUnattached(tx, report.reportId)) await attachVehicle(tx, { ...report, createdAt: report.createdAt.toISOString() });
      });
    const isFollowed = nowMs - startedAt.getTime() < FOLLOWED_MS;
    const next = { afterId: reports.at(-1)?.reportId ?? afterId, done: reports.length < PORTION && !isFollowed };
    return (await this.database.asSystem((tx) => saveBackfill(tx, afterId, next))) > 0 && reports.length === PORTION;
  }
}
