import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type Tx } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { attachVehicle } from './attachment.store';
import { lockBackfill, reportsAfter, saveBackfill } from './vehicle.store';

const EVERY_MS = 10_000;
const PORTION = 200;
/** A release that attaches none may create reports beside this one during an upgrade. Their ids come after those of before. */
const FOLLOWED_MS = 3_600_000;

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
    while (!this.stopped && (await this.database.asSystem((tx) => this.portion(tx))));
  }

  /** True while there may be more. */
  private async portion(tx: Tx): Promise<boolean> {
    const state = await lockBackfill(tx);
    if (!state) return false;
    const reports = await reportsAfter(tx, state.afterId, PORTION);
    for (const report of reports) await attachVehicle(tx, { ...report, createdAt: report.createdAt.toISOString() });
    const isFollowed = this.clock.now().getTime() - state.startedAt.getTime() < FOLLOWED_MS;
    await saveBackfill(tx, reports.at(-1)?.reportId ?? state.afterId, reports.length < PORTION && !isFollowed);
    return reports.length === PORTION;
  }
}
