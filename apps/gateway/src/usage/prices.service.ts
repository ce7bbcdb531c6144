import { PERMISSIONS_OF, type Cost, type ReportPrice, type ReportPrices } from '@tire/contracts/console';
import { REPORT_PRICES_SHOWN_MAX } from '@tire/contracts/limits';
import { CLOCK, dayIn, DomainError, faulty, majorText, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { costOf, mayBegin } from '../domain/report-price';
import type { ProjectMember } from '../edge/callers';
import { DEFAULT_TIME_ZONE, findProject } from '../projects/project.store';
import { deletePrice, findPrices, listPrices, storePrice } from './prices.store';

interface CountedDay {
  readonly day: string;
  readonly reports: number;
}

/** What reports of a project cost. Those of test projects cost nothing. */
@Injectable()
export class PricesService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list({ projectId }: ProjectMember): Promise<ReportPrices> {
    return this.database.asSystem((tx) => this.read(tx, projectId));
  }

  set(caller: ProjectMember, { valid_from: validFrom, amount_minor: amountMinor, currency }: ReportPrice): Promise<ReportPrices> {
    const { projectId, organizationId, actor, mode } = caller;
    if (mode === 'test') throw new DomainError('conflict', { message: 'Reports of a test project cost nothing.' });
    return this.database.asSystem(async (tx) => {
      const { first_day: firstDay, last_day: lastDay } = await this.read(tx, projectId);
      if (validFrom < firstDay || validFrom > lastDay) throw faulty('valid_from', `must be from ${firstDay} to ${lastDay}.`);
      await storePrice(tx, projectId, { validFrom, amountMinor, currency });
      const details = { price: `${majorText(amountMinor, currency)} ${currency}`, valid_from: validFrom };
      await recordChange(tx, organizationId, actor, { action: 'report_price.set', projectId, details }, this.clock.now());
      return this.read(tx, projectId);
    });
  }

  /** Not one that has begun: it may be part of a sum that somebody has seen. */
  remove({ projectId, organizationId, actor }: ProjectMember, validFrom: string): Promise<ReportPrices> {
    return this.database.asSystem(async (tx) => {
      if (validFrom <= (await this.today(tx, projectId))) throw new DomainError('conflict', { message: 'The price has begun.' });
      if (await deletePrice(tx, projectId, validFrom)) {
        const change = { action: 'report_price.removed', projectId, details: { valid_from: validFrom } } as const;
        await recordChange(tx, organizationId, actor, change, this.clock.now());
      }
      return this.read(tx, projectId);
    });
  }

  /** Null for roles that do not see prices, and where there is none. The days follow each other. */
  async costOf({ projectId, role }: Pick<ProjectMember, 'projectId' | 'role'>, days: readonly CountedDay[]): Promise<Cost | null> {
    const [first, last] = [days.at(0), days.at(-1)];
    if (!first || !last || !PERMISSIONS_OF[role].includes('prices.manage')) return null;
    const prices = await this.database.withProject(projectId, (tx) => findPrices(tx, projectId, first.day, last.day));
    const cost = costOf(prices, days);
    return (
      cost && {
        days: cost.days.map(({ day, amountMinor, currency }) => ({ day, amount_minor: amountMinor, currency })),
        sums: cost.sums.map(({ amountMinor, currency }) => ({ amount_minor: amountMinor, currency })),
      }
    );
  }

  private async read(tx: Tx, projectId: string): Promise<ReportPrices> {
    const today = await this.today(tx, projectId);
    const { firstDay, lastDay } = mayBegin(today);
    const prices = await listPrices(tx, projectId, REPORT_PRICES_SHOWN_MAX);
    return {
      prices: prices.map(({ validFrom, amountMinor, currency }) => ({ valid_from: validFrom, amount_minor: amountMinor, currency })),
      today,
      first_day: firstDay,
      last_day: lastDay,
    };
  }

  private async today(tx: Tx, projectId: string): Promise<string> {
    const project = await findProject(tx, projectId);
    if (!project) throw new DomainError('not_found');
    return dayIn(project.timeZone ?? DEFAULT_TIME_ZONE, this.clock.now());
  }
}
