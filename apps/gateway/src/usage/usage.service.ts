import { Usage, type Money } from '@tire/contracts/console';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { USAGE_DAYS_MAX } from '@tire/contracts/limits';
import { faulty, majorText } from '@tire/kernel';
import { Database, LEDGER, SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ProjectMember } from '../edge/callers';
import { DEFAULT_TIME_ZONE, findProject } from '../projects/project.store';
import { PricesService } from './prices.service';

const DAY_MS = 86_400_000;
interface Period {
  readonly from: string;
  readonly to: string;
}

type Reader = Pick<ProjectMember, 'projectId' | 'role'>;

/** The ledger counts all slots of a quarter. */
const DEADLINE_MS = 15_000;

@Injectable()
export class UsageService {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly database: Database,
    private readonly prices: PricesService,
  ) {}

  async of(caller: Reader, period: Period): Promise<Usage> {
    const { projectId } = caller;
    const { from: fromDay, to: toDay } = period;
    const days = daysBetween(fromDay, toDay);
    const project = await this.database.asSystem((tx) => findProject(tx, projectId));
    const counted = { projectId, fromDay, toDay, timeZone: project?.timeZone ?? DEFAULT_TIME_ZONE };
    const [reports, callbacks] = await Promise.all([
      this.ledger.getUsage(counted, { deadlineMs: DEADLINE_MS }),
      this.share.getCallbackUsage(counted, { deadlineMs: DEADLINE_MS }),
    ]);
    const reportsOn = new Map(reports.days.map((usage) => [usage.day, usage]));
    const callbacksOn = new Map(callbacks.days.map((usage) => [usage.day, usage]));
    const counts = days.map((one) => ({ day: one, reports: reportsOn.get(one)?.reports ?? 0 }));
    return Usage.parse({
      project_id: projectId,
      from: fromDay,
      to: toDay,
      cost: await this.prices.costOf(caller, counts),
      days: counts.map(({ day: one, reports: created }) => ({
        day: one,
        reports: created,
        images: reportsOn.get(one)?.images ?? 0,
        failures: reportsOn.get(one)?.failures ?? {},
        callbacks: callbacksOn.get(one)?.queued ?? 0,
        callbacks_delivered: callbacksOn.get(one)?.delivered ?? 0,
      })),
    });
  }

  /** It holds numbers, dates and codes of this system only: no cell can be a formula. */
  async csv(caller: Reader, period: Period): Promise<string> {
    const { days, cost } = await this.of(caller, period);
    const codes = [...new Set(days.flatMap(({ failures }) => Object.keys(failures)))].sort();
    const costs = new Map(cost?.days.map((one) => [one.day, one]));
    const moneyOf = (money: Money | undefined) =>
      cost ? [money ? majorText(money.amount_minor, money.currency) : '', money?.currency ?? ''] : [];
    const head = ['day', 'reports', 'images', ...codes, 'callbacks', 'callbacks_delivered', ...(cost ? ['cost', 'currency'] : [])];
    const rows = days.map(({ day: on, reports, images, failures, callbacks, callbacks_delivered }) => {
      const failed: Partial<Record<string, number>> = failures;
      return [on, reports, images, ...codes.map((code) => failed[code] ?? 0), callbacks, callbacks_delivered, ...moneyOf(costs.get(on))];
    });
    const sums = (cost?.sums ?? []).map((sum) => ['sum', ...Array<string>(codes.length + 4).fill(''), ...moneyOf(sum)]);
    return [head, ...rows, ...sums].map((row) => `${row.join(',')}\r\n`).join('');
  }
}

function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (count < 1 || count > USAGE_DAYS_MAX) throw faulty('to', `must be 1 to ${USAGE_DAYS_MAX} days from the first one.`);
  return Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10));
}
