import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock, DomainError, isUuid } from '@tire/kernel';
import { Database, type PromiseClient } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import type { Config } from '../config';
import { isValid, linkStatus } from '../domain/link';
import type { Command, Publication, Registered } from '../domain/publication';
import { shareUrl } from '../links/addresses';
import { CONFIG, LEDGER } from '../tokens';
import { changeOf, PublicationService, type ReportKey } from './publication.service';
import { findPublication } from './publication.store';

const TOKEN_BYTES = 32;

/** The requests of partners about the publication of a report. Each calls the ledger first, to learn whether the report is still served. */
@Injectable()
export class ShareService {
  constructor(
    private readonly database: Database,
    private readonly publications: PublicationService,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async share(report: ReportKey): Promise<shareApi.GetShareResponse> {
    const current = await this.current(report, false);
    const known = await this.database.withProject(report.projectId, (tx) => findPublication(tx, report.reportId));
    const state = 'link' in known ? known : await this.publications.apply(report, current.registration ?? null, []);
    // The report was discarded after the call to the ledger: the answer is the same as a moment later.
    if (!('link' in state)) throw new DomainError('not_found');
    return { share: this.shareRecordOf(state, current) };
  }

  async publish(report: ReportKey): Promise<shareApi.PublishReportResponse> {
    const current = await this.current(report, true);
    if (current.analysisStatus !== 'complete' || current.legacy) throw new DomainError('publish_requirements_unmet');
    const { analysisRevision, contentRevision } = current;
    // Content that is still being generated publishes the report when it is ready. That it is missing is no error of the caller.
    const ready = analysisRevision !== undefined && contentRevision !== undefined;
    const commands: Command[] = ready ? [{ kind: 'contentGenerated', outcome: { analysisRevision, contentRevision } }] : [];
    const state = await this.decideAndApply(report, current, commands);
    const { publicationStatus, publishedAt } = changeOf(report, state)!;
    const { link } = state;
    return {
      publicationStatus,
      publishedAt,
      shareUrl: isValid(link, this.clock.now()) ? shareUrl(this.config, link.token) : undefined,
    };
  }

  async revoke(report: ReportKey): Promise<shareApi.RevokeShareResponse> {
    const current = await this.current(report, true);
    const state = await this.decideAndApply(report, current, [{ kind: 'revokeLink' }]);
    return { share: this.shareRecordOf(state, current) };
  }

  async reissue(report: ReportKey): Promise<shareApi.ReissueShareResponse> {
    const current = await this.current(report, true);
    const link = this.publications.newLink(randomBytes(TOKEN_BYTES).toString('base64url'), this.clock.now());
    const state = await this.decideAndApply(report, current, [{ kind: 'issueLink', link }]);
    return { share: this.shareRecordOf(state, current) };
  }

  async discard(request: shareApi.DiscardReportRequest): Promise<shareApi.DiscardReportResponse> {
    await this.publications.discard(request, request);
    return {};
  }

  /** The ledger stores the change before the caller gets the answer. If this call is lost, the event repeats it. */
  private async decideAndApply(
    report: ReportKey,
    { registration }: ledgerApi.GetPublicationStateResponse,
    commands: readonly Command[],
  ): Promise<Registered> {
    const state = registered(await this.publications.apply(report, registration ?? null, commands));
    await this.ledger.applyPublication(changeOf(report, state)!);
    return state;
  }

  private async current({ projectId, reportId }: ReportKey, forChange: boolean): Promise<ledgerApi.GetPublicationStateResponse> {
    if (!isUuid(projectId) || !isUuid(reportId)) throw new DomainError('not_found');
    return this.ledger.getPublicationState({ projectId, reportId, forChange });
  }

  private shareRecordOf(state: Registered, current: ledgerApi.GetPublicationStateResponse): shareApi.ShareRecord {
    const { link } = state;
    return {
      status: linkStatus(link, publishedContent(state), current.contentRevision ?? null, this.clock.now()),
      shareUrl: link.revokedAt === null ? shareUrl(this.config, link.token) : undefined,
      expiresAt: link.expiresAt.toISOString(),
      revokedAt: link.revokedAt?.toISOString(),
      createdAt: link.createdAt.toISOString(),
    };
  }
}

/** The report may be discarded between the call to the ledger and the transaction here. */
function registered(state: Publication): Registered {
  if ('link' in state) return state;
  throw new DomainError('report_discarded');
}

const publishedContent = (state: Publication): string | null => (state.status === 'published' ? state.last.contentRevision : null);
