import type { ledgerApi } from '@tire/contracts/grpc';
import { HELD_REPORTS_MAX } from '@tire/contracts/limits';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, LEDGER, logger, periodicTask, type PromiseClient } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { claimChecks, deleteVisit, markForCheck, scheduleChecks, setNextCheck, type CheckedVisit } from './visits.store';

const CHECK_EVERY_MS = 60_000;
const CHECKS_AT_ONCE = 50;
const SCHEDULED_AT_ONCE = 1_000;
const AGAIN_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Reports end by themselves when their time is over: those of test projects after a month, those of live projects after years. */
const CHECK_AGAIN_MS = { test: DAY_MS, live: 7 * DAY_MS } as const;

const GONE: ReadonlySet<string> = new Set(['not_found', 'report_discarded', 'report_purge_pending']);

/**
 * A customer goes with the report. Reports are discarded through the gateway, and end by themselves. So the gateway asks the ledger: after each
 * request to discard, an hour after a customer was recorded (the report may have gone meanwhile), and then every week, in test projects every
 * day.
 */
@Injectable()
export class VisitRemoval implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('visits');
  private readonly checking = periodicTask(CHECK_EVERY_MS, () => this.checkDue(), this.log);

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.checking.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.checking.stop();
  }

  /** Also after a failure: a report whose discard is incomplete is gone for everybody. If the process dies meanwhile, the next check does it. */
  async with<T>(mode: 'test' | 'live', projectId: string, reportId: string, discard: () => Promise<T>): Promise<T> {
    const hasVisit = await markForCheck(this.database, projectId, reportId, this.clock.now());
    try {
      return await discard();
    } finally {
      if (hasVisit) {
        const visit = { projectId, reportId, mode };
        await this.check(visit).catch((error: unknown) => this.failed(visit, error));
      }
    }
  }

  async checkDue(): Promise<void> {
    await scheduleChecks(this.database, this.clock.now(), SCHEDULED_AT_ONCE);
    for (;;) {
      const now = this.clock.now();
      const due = await claimChecks(this.database, now, new Date(now.getTime() + AGAIN_AFTER_MS), CHECKS_AT_ONCE);
      for (const visit of due) await this.check(visit).catch((error: unknown) => this.failed(visit, error));
      if (due.length < CHECKS_AT_ONCE) return;
    }
  }

  private async check(visit: CheckedVisit): Promise<void> {
    const { projectId, reportId, mode } = visit;
    const now = this.clock.now();
    const isGone = await this.isGone(projectId, reportId);
    if (isGone && (await this.isHeld(projectId, reportId))) await setNextCheck(this.database, visit, new Date(now.getTime() + DAY_MS));
    else if (isGone) await this.database.withProject(projectId, (tx) => deleteVisit(tx, projectId, reportId, now));
    else await setNextCheck(this.database, visit, new Date(now.getTime() + CHECK_AGAIN_MS[mode]));
  }

  private failed({ reportId }: CheckedVisit, error: unknown): void {
    this.log.warn({ err: error, report_id: reportId }, 'The customer of a report is removed by the next check');
  }

  /** A discarded report under legal hold keeps its customer too, until the hold ends. */
  private async isHeld(projectId: string, reportId: string): Promise<boolean> {
    const { reports } = await this.ledger.listHeldReports({ projectId, reportId, limit: HELD_REPORTS_MAX });
    return reports.some((held) => held.reportId === reportId);
  }

  private async isGone(projectId: string, reportId: string): Promise<boolean> {
    try {
      await this.ledger.getMutability({ projectId, reportId });
      return false;
    } catch (error) {
      if (error instanceof DomainError && GONE.has(error.code)) return true;
      throw error;
    }
  }
}
