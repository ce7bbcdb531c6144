import { Outbox } from '@tire/eventing';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { reminders } from '../domain/handover';
import type { ReportState } from '../domain/report';
import { standingOf } from '../domain/standing';
import { analysisStatus } from '../domain/status';
import { outboxMessages } from '../reports/report.commands';
import { findReport } from '../reports/report.store';
import type { ReconcileSettings } from '../reconciler/reconciler';
import { RECONCILE } from '../tokens';
import { claimWithoutStanding, countWaiting, saveStandings, type Known } from './standing-repair.store';

const log = logger('ledger.worklist');

const AT_ONCE = 100;
const BATCHES_OF_A_TURN = 10;
/** Content answers those that wait before more are asked for. */
const WAITING_MAX = 1_000;

/**
 * Derives the standing of reports that have none: those from before there were standings, and those that an earlier release changed during a
 * roll-out. Content is asked for a verdict by announcing the revision again, which the reconciler repeats. It ends when each report has one;
 * then each turn reads an empty index.
 */
@Injectable()
export class StandingRepair implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: RepeatedTask;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(RECONCILE) settings: ReconcileSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.turns = periodicTask(settings.intervalMs, async () => void (await this.turn()), log);
  }

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.turns.stop();
  }

  /** Returns how many reports it found. */
  async turn(): Promise<number> {
    let found = 0;
    for (let batch = 0, claimed = AT_ONCE; batch < BATCHES_OF_A_TURN && claimed === AT_ONCE && !this.stopped; batch += 1) {
      claimed = await this.repair();
      found += claimed;
    }
    if (found > 0) log.info({ found }, 'The standing of reports is derived');
    return found;
  }

  private repair(): Promise<number> {
    const now = this.clock.now();
    return this.database.asSystem(async (tx) => {
      if ((await countWaiting(tx, WAITING_MAX)) === WAITING_MAX) return 0;
      const reportIds = await claimWithoutStanding(tx, AT_ONCE);
      const states: ReportState[] = [];
      for (const reportId of reportIds) states.push(await findReport(tx, reportId));
      const open = states.flatMap((state) => (state.lifecycle === 'open' ? [state.report] : []));
      const asked = new Map(open.map((report) => [report.identity.reportId, reminders(report, now.toISOString())]));
      const known = open.map((report): Known => {
        const { identity, revision, content } = report;
        const standing = standingOf({ analysisStatus: analysisStatus(report), revision, content, legacy: identity.legacy });
        return { reportId: identity.reportId, standing, asks: asked.get(identity.reportId)!.length > 0 };
      });
      await saveStandings(tx, known, now);
      await this.outbox.addAll(tx, outboxMessages([...asked.values()].flat()));
      return reportIds.length;
    });
  }
}
