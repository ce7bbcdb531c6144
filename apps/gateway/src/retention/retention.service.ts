import { HoldList, Retention as ShownRetention, type ChangeRetentionRequest } from '@tire/contracts/console';
import { HELD_REPORTS_MAX } from '@tire/contracts/limits';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { endsEarlier, RETENTION_KINDS, type RetentionKind } from '@tire/kernel';
import { Database, LEDGER, SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { findActors } from '../audit/actors.store';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';
import { Retention } from './retention';

type Rule = ledgerApi.RetentionRule;
type Choice = Pick<ChangeRetentionRequest, 'kind' | 'days'>;

/** For how long a project keeps what. Each service has the choice about what it stores, and removes it. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly own: Retention,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly audit: Audit,
  ) {}

  async of({ projectId, mode }: ProjectMember): Promise<ShownRetention> {
    const [ledger, share, own] = await Promise.all([
      this.ledger.getRetention({ projectId, projectMode: mode }),
      this.share.getRetention({ projectId }),
      this.own.rules.of(projectId),
    ]);
    const rules = [...ledger.rules, ...share.rules, ...own];
    return ShownRetention.parse({ rules: RETENTION_KINDS.flatMap((kind) => rules.filter((rule) => rule.kind === kind)).map(shown) });
  }

  /** Whether the choice removes what would be kept without it. */
  async shortens(caller: ProjectMember, { kind, days }: Choice): Promise<boolean> {
    const rule = (await this.of(caller)).rules.find((each) => each.kind === kind)!;
    return endsEarlier(kind, days ?? rule.default_days, rule.days ?? rule.default_days);
  }

  async change(caller: ProjectMember, { kind, days }: Choice): Promise<ShownRetention> {
    const before = (await this.of(caller)).rules.find((rule) => rule.kind === kind)!;
    if (before.days !== days) {
      const details = { kind, from: String(before.days ?? 'default'), to: String(days ?? 'default') };
      await this.audit.after(caller, this.choose(caller.projectId, kind, days ?? undefined), { action: 'retention.changed', details });
    }
    return this.of(caller);
  }

  async holds(projectId: string, reportId?: string): Promise<HoldList> {
    const { reports } = await this.ledger.listHeldReports({ projectId, reportId, limit: HELD_REPORTS_MAX });
    const names = await findActors(
      this.database,
      reports.map(({ heldBy }) => heldBy),
    );
    return HoldList.parse({
      holds: reports.map(({ reportId, plateNumber, reason, heldAt, heldBy, isDiscarded }) => ({
        report_id: reportId,
        plate_number: plateNumber ?? null,
        reason,
        held_at: heldAt,
        held_by: names.get(heldBy) ?? null,
        is_discarded: isDiscarded,
      })),
    });
  }

  async hold(caller: ProjectMember, reportId: string, reason: string): Promise<void> {
    const work = this.ledger.holdReport({ projectId: caller.projectId, reportId, reason });
    await this.audit.after(caller, work, { action: 'report.held', subject: reportId });
  }

  async release(caller: ProjectMember, reportId: string): Promise<void> {
    const work = this.ledger.releaseReport({ projectId: caller.projectId, reportId });
    await this.audit.after(caller, work, ({ released }) => (released ? { action: 'report.released', subject: reportId } : null));
  }

  private choose(projectId: string, kind: RetentionKind, days: number | undefined): Promise<unknown> {
    switch (kind) {
      case 'reports':
      case 'photographs':
      case 'usage':
        return this.ledger.chooseRetention({ projectId, kind, days });
      case 'callbacks':
        return this.share.chooseRetention({ projectId, kind, days });
      default:
        return this.own.rules.choose(projectId, kind, days);
    }
  }
}

const shown = ({ kind, days, defaultDays }: Rule) => ({ kind, days: days ?? null, default_days: defaultDays });
