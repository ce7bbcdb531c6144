import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, faulty, isTimeZone, systemClock, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { countedUntil, countPeriod, FAILED, findUsage, lockCountedUntil, type Counted, type UsagePeriod } from './usage.store';

const COUNT_EVERY_MS = 60_000;
/** Longer than any transaction may take: everything that happened earlier is committed, and can be counted. */
const SETTLED_AFTER_MS = 120_000;
/** The longest period of one statement, after a long pause. */
const PERIOD_MS_MAX = 86_400_000;

/** The usage of a project by day. The counts and the time until which they are complete change in one transaction, so none counts twice. */
@Injectable()
export class UsageService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns = periodicTask(COUNT_EVERY_MS, () => this.count(), logger('ledger.usage'));
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

  async of({ projectId, fromDay, toDay, timeZone = 'UTC' }: ledgerApi.GetUsageRequest): Promise<ledgerApi.GetUsageResponse> {
    for (const [param, day] of [
      ['from', fromDay],
      ['to', toDay],
    ] as const)
      if (Number.isNaN(Date.parse(day))) throw faulty(param, 'must be a day.');
    if (!isTimeZone(timeZone)) throw faulty('time_zone', 'must be the IANA name of a time zone.');
    const period = { fromDay, toDay, timeZone };
    const days = new Map<string, ledgerApi.UsageDay>();
    for (const { day, measure, count } of await this.used(projectId, period)) {
      if (day === null) continue;
      const counted = days.get(day) ?? { day, reports: 0, images: 0, failures: {} };
      days.set(day, counted);
      if (measure === 'reports' || measure === 'images') counted[measure] = count;
      else counted.failures[measure.slice(FAILED.length)] = count;
    }
    return { days: [...days.values()] };
  }

  /** Reads again when a process has counted between the two statements, which happens once a minute. */
  private async used(projectId: string, period: UsagePeriod): Promise<Counted[]> {
    for (let until = await countedUntil(this.database, projectId); ;) {
      const rows = await findUsage(this.database, projectId, period, until);
      const seen = rows[0]!.until;
      if (seen.getTime() === until.getTime()) return rows;
      until = seen;
    }
  }

  /** Continues while there is more: after a pause of a month it counts day by day. */
  async count(): Promise<void> {
    while (!this.stopped && (await this.countOnce()));
  }

  /** Returns whether there is more. False while another process counts. */
  private countOnce(): Promise<boolean> {
    return this.database.asSystem(async (tx) => {
      const counted = await lockCountedUntil(tx);
      if (!counted) return false;
      // A clock that is ahead would count a time that other processes still write to, and what they write would never count.
      const aheadMs = Math.max(0, systemClock.now().getTime() - counted.databaseNow.getTime());
      const settledMs = this.clock.now().getTime() - aheadMs - SETTLED_AFTER_MS;
      const fromMs = counted.until.getTime();
      if (fromMs >= settledMs) return false;
      const untilMs = Math.min(settledMs, fromMs + PERIOD_MS_MAX);
      await countPeriod(tx, new Date(fromMs), new Date(untilMs));
      return untilMs < settledMs;
    });
  }
}
