import type { assetsApi, contentApi, ledgerApi, shareApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { ASSETS, CONTENT, Database, logger, type PromiseClient, SHARE } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { discardAnswer } from '../domain/answers';
import { handoverKey } from '../domain/handover';
import type { ReportState } from '../domain/report';
import { ReportCommands } from '../reports/report.commands';
import { findReport } from '../reports/report.store';
import type { ReportName } from './retention.store';

type KnownLink = Pick<shareApi.DiscardReportRequest, 'shareTokenDigest' | 'createdAt'>;
const UNKNOWN_LINK: KnownLink = { shareTokenDigest: Buffer.alloc(0), createdAt: '' };

const log = logger('ledger.removal');

/** Longer than for a read: an object store deletes one image after the other. */
const REMOVAL_DEADLINE_MS = 20_000;

/**
 * The removal of a report, as a saga. The first commit closes the report and ends access. Each later step is idempotent, and is repeated by
 * the same call or by the reconciler until no service has data of the report.
 */
@Injectable()
export class RemovalService {
  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
  ) {}

  async discard({ projectId, reportId }: ledgerApi.DiscardReportRequest): Promise<ledgerApi.DiscardReportResponse> {
    const { state } = await this.commands.execute(projectId, reportId, { type: 'discard' });
    if (state.lifecycle !== 'discarded') throw new Error(`A discarded report is ${state.lifecycle}`);
    if (!(await this.finish(state))) throw new DomainError('discard_incomplete');
    return { responseJson: Buffer.from(JSON.stringify(discardAnswer(reportId, state.discardedAt))) };
  }

  /** Removes a report whose time is over. False where a hold or another process came first. */
  async purge(projectId: string, reportId: string): Promise<boolean> {
    const { state, events } = await this.commands.execute(projectId, reportId, { type: 'purge' });
    await this.finish(state);
    return events.length > 0;
  }

  /**
   * Removes a report of any project, and everything of it. The same call or the reconciler goes on with what is left. After a restore the other
   * services may have data of a report that the ledger has lost.
   */
  async erase({ projectId, reportId }: ledgerApi.EraseReportRequest): Promise<ledgerApi.EraseReportResponse> {
    const { state } = await this.commands.execute(projectId, reportId, { type: 'erase' });
    const isGone = state.lifecycle === 'absent' ? await this.eraseLost({ projectId, reportId }) : await this.finish(state);
    if (!isGone) throw new DomainError('discard_incomplete');
    return {};
  }

  /** What another project has is hidden from this one, and stays. */
  private async eraseLost(report: ReportName): Promise<boolean> {
    const { lifecycle } = await this.database.asSystem((tx) => findReport(tx, report.reportId));
    return lifecycle !== 'absent' || this.removeElsewhere(report);
  }

  /** Returns true when nothing is left to do. */
  async finish(state: ReportState): Promise<boolean> {
    if (state.lifecycle === 'absent' || handoverKey(state) !== 'removal') return true;
    const { identity } = state.report;
    const { shareToken, createdAt } = identity;
    if (!(await this.removeElsewhere(identity, { shareTokenDigest: shareToken.digest, createdAt }))) return false;
    return this.step('ledger', identity, this.commands.execute(identity.projectId, identity.reportId, { type: 'finishRemoval' }));
  }

  /** `link` is that of its creation, if the ledger knows the report. */
  private async removeElsewhere({ projectId, reportId }: ReportName, link: KnownLink = UNKNOWN_LINK): Promise<boolean> {
    const report = { projectId, reportId };
    const deadline = { deadlineMs: REMOVAL_DEADLINE_MS };
    const done = await Promise.all([
      this.step('share', report, this.share.discardReport({ ...report, ...link }, deadline)),
      this.step('content', report, this.content.discardReport(report, deadline)),
      this.step('assets', report, this.assets.discardReport(report, deadline)),
    ]);
    return done.every(Boolean);
  }

  private step(name: string, { reportId }: ReportName, call: Promise<unknown>): Promise<boolean> {
    return call.then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error, report_id: reportId, step: name }, 'A service could not remove its data of a report yet; it is tried again');
        return false;
      },
    );
  }
}
