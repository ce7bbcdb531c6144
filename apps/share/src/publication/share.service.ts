import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock, DomainError, isUuid } from '@tire/kernel';
import { Database, LEDGER, turnDeadline, type PromiseClient } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import type { Config } from '../config';
import { isValid, linkStatus } from '../domain/link';
import type { Command, Publication, Registered } from '../domain/publication';
import { shareUrl } from '../links/addresses';
import { openToken } from '../links/link.store';
import { CONFIG } from '../tokens';
import { changeOf, PublicationService, type ReportKey } from './publication.service';
import { countReportData, findPublication } from './publication.store';

const TOKEN_BYTES = 32;

/** The requests of partners about the publication of a report. Each first checks at the ledger whether the report is still served. */
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
    const state =
      'link' in known
        ? known
        : await this.publications.apply(announced(report, current), current.registration ?? null, [], { untilMs: turnDeadline() });
    return { share: this.shareRecordOf(report, registered(state, 'not_found'), current) };
  }

  async publish(report: ReportKey): Promise<shareApi.PublishReportResponse> {
    const current = await this.current(report, true);
    if (current.analysisStatus !== 'complete' || current.legacy) throw new DomainError('publish_requirements_unmet');
    const { analysisRevision, analysisStatus, contentRevision } = current;
    // Content that is still being generated publishes the report when it is ready. That it is missing is no error of the caller.
    const ready = analysisRevision !== undefined && contentRevision !== undefined;
    const commands: Command[] = ready ? [{ kind: 'contentGenerated', outcome: { analysisRevision, analysisStatus, contentRevision } }] : [];
    const state = await this.decideAndApply(report, current, commands);
    const { publicationStatus, publishedAt } = changeOf(report, state)!;
    return {
      publicationStatus,
      publishedAt,
      shareUrl: isValid(state.link, this.clock.now()) ? this.addressOf(report, state) : undefined,
    };
  }

  async revoke(report: ReportKey): Promise<shareApi.RevokeShareResponse> {
    const current = await this.current(report, true);
    const state = await this.decideAndApply(report, current, [{ kind: 'revokeLink' }]);
    return { share: this.shareRecordOf(report, state, current) };
  }

  async reissue({ shareToken, ...report }: shareApi.ReissueShareRequest): Promise<shareApi.ReissueShareResponse> {
    const current = await this.current(report, true);
    const token = shareToken ?? randomBytes(TOKEN_BYTES).toString('base64url');
    const link = this.publications.newLink(report.projectId, token, this.clock.now());
    const state = await this.decideAndApply(report, current, [{ kind: 'issueLink', link }]);
    return { share: this.shareRecordOf(report, state, current) };
  }

  async publication({ projectId, reportId }: shareApi.GetPublicationRequest): Promise<shareApi.GetPublicationResponse> {
    if (!isUuid(projectId) || !isUuid(reportId)) throw new DomainError('not_found');
    const state = await this.database.withProject(projectId, (tx) => findPublication(tx, reportId));
    // The ledger asks so after a restore to a time before the removal.
    if (state.status === 'discarded') return { version: 0, publicationStatus: 'discarded' };
    const publication = this.publications.projectionOf({ projectId, reportId }, state);
    if (!publication) throw new DomainError('not_found');
    return publication;
  }

  async discard(request: shareApi.DiscardReportRequest): Promise<shareApi.DiscardReportResponse> {
    await this.publications.discard(request);
    return {};
  }

  async count({ projectId, reportIds }: shareApi.CountReportDataRequest): Promise<shareApi.CountReportDataResponse> {
    return { counts: await this.database.withProject(projectId, (tx) => countReportData(tx, reportIds)) };
  }

  /** The ledger stores the change before the caller gets the answer. If this call is lost, the event repeats it. */
  private async decideAndApply(
    report: ReportKey,
    current: ledgerApi.GetPublicationStateResponse,
    commands: readonly Command[],
  ): Promise<Registered> {
    const state = registered(
      await this.publications.apply(announced(report, current), current.registration ?? null, commands, { untilMs: turnDeadline() }),
      'report_discarded',
    );
    await this.ledger.applyPublication({ ...report, ...this.publications.projectionOf(report, state)! });
    return state;
  }

  private async current({ projectId, reportId }: ReportKey, forChange: boolean): Promise<ledgerApi.GetPublicationStateResponse> {
    if (!isUuid(projectId) || !isUuid(reportId)) throw new DomainError('not_found');
    return this.ledger.getPublicationState({ projectId, reportId, forChange });
  }

  private addressOf({ projectId }: ReportKey, { link }: Registered): string {
    return shareUrl(this.config, openToken(this.config.SEALING_KEYS, projectId, link));
  }

  private shareRecordOf(report: ReportKey, state: Registered, current: ledgerApi.GetPublicationStateResponse): shareApi.ShareRecord {
    const { link } = state;
    return {
      status: linkStatus(link, publishedContent(state), current.contentRevision ?? null, this.clock.now()),
      shareUrl: link.revokedAt === null ? this.addressOf(report, state) : undefined,
      expiresAt: link.expiresAt.toISOString(),
      revokedAt: link.revokedAt?.toISOString(),
      createdAt: link.createdAt.toISOString(),
    };
  }
}

/** A request may come before the fact of the analysis, which has the failures too. */
const announced = (report: ReportKey, { callbackFailures }: ledgerApi.GetPublicationStateResponse) => ({ ...report, callbackFailures });

/**
 * The report may be discarded between the call to the ledger and the transaction here: the answer is the same as a moment later. It is not
 * registered if the ledger cannot open its link.
 */
function registered(state: Publication, discarded: 'not_found' | 'report_discarded'): Registered {
  if ('link' in state) return state;
  throw new DomainError(state.status === 'discarded' ? discarded : 'internal_error');
}

const publishedContent = (state: Publication): string | null => (state.status === 'published' ? state.last.contentRevision : null);
