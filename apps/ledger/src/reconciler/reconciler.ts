import { Outbox } from '@tire/eventing';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { reminders } from '../domain/handover';
import type { ReportState } from '../domain/report';
import { WORK_KINDS } from '../domain/work';
import { RemovalService } from '../removal/removal.service';
import { claimOverdueReports, putBackOverdueSlots } from './reconciler.store';
import { outboxMessages } from '../reports/report.commands';
import { findReport } from '../reports/report.store';
import { RECONCILE } from '../tokens';
import { Dispatcher } from '../work/dispatcher';

export interface ReconcileSettings {
  readonly intervalMs: number;
  /** How long a hand-over may wait for its answer before the first reminder. Each further wait is twice as long, up to sixteen times. */
  readonly overdueMs: number;
}

const log = logger('ledger.reconciler');

/** One transaction holds this many rows at most. */
const CLAIM_LIMIT = 100;

/**
 * Repeats requests that have no answer yet, so that a lost message (or a lost broker) loses no report: work waits again, and facts are
 * announced again. It runs in every instance; an instance skips rows that another one has locked.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Each is repeated by itself: reports whose removal waits for a service that does not answer must not hold up slots. */
  private readonly batches = [() => this.putBackSlots(), () => this.remindOfReports()];
  private readonly tasks: readonly RepeatedTask[];
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly dispatcher: Dispatcher,
    private readonly removal: RemovalService,
    @Inject(RECONCILE) private readonly settings: ReconcileSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.tasks = this.batches.map((batch) => periodicTask(settings.intervalMs, () => this.repeat(batch), log));
  }

  onApplicationBootstrap(): void {
    this.tasks.forEach((task) => task.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Repeats every overdue request, and returns how many that were. */
  async sweep(): Promise<number> {
    let reminded = 0;
    for (const batch of this.batches) reminded += await this.repeat(batch);
    return reminded;
  }

  private async repeat(batch: () => Promise<number>): Promise<number> {
    let reminded = 0;
    for (let claimed = CLAIM_LIMIT; claimed === CLAIM_LIMIT && !this.stopped;) {
      claimed = await batch();
      reminded += claimed;
    }
    if (reminded > 0) log.info({ reminded }, 'Requests without an answer are repeated');
    return reminded;
  }

  private async putBackSlots(): Promise<number> {
    const put = await this.database.asSystem((tx) => putBackOverdueSlots(tx, this.clock.now(), this.settings.overdueMs, CLAIM_LIMIT));
    if (put > 0) this.dispatcher.nudge(WORK_KINDS);
    return put;
  }

  private async remindOfReports(): Promise<number> {
    const now = this.clock.now();
    const claimed = await this.database.asSystem(async (tx) => {
      const reportIds = await claimOverdueReports(tx, now, this.settings.overdueMs, CLAIM_LIMIT);
      const states: ReportState[] = [];
      for (const reportId of reportIds) states.push(await findReport(tx, reportId));
      const messages = states.flatMap((state) => (state.lifecycle === 'open' ? reminders(state.report, now.toISOString()) : []));
      await this.outbox.addAll(tx, outboxMessages(messages));
      return states;
    });
    // They run in parallel: a service that does not answer delays all of them only once, and reminders wait meanwhile.
    await Promise.all(claimed.map((state) => this.removal.finish(state)));
    return claimed.length;
  }
}
