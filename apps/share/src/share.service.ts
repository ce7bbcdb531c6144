import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi, type shareApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Database, type PromiseClient } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import { isValid, linkStatus } from './domain/link';
import type { Command, Publication, Registered } from './domain/publication';
import { PublicationService, type ReportName, wordOf } from './publication.service';
import { PublicationStore } from './publication.store';
import { SETTINGS, type Settings, shareUrl } from './settings';

export const LEDGER = Symbol('ledger');

const TOKEN_BYTES = 32;

/** What partners ask about the publication of a report. The record is asked first: it knows whether the report is still served. */
@Injectable()
export class ShareService {
  constructor(
    private readonly database: Database,
    private readonly store: PublicationStore,
    private readonly publications: PublicationService,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async share(report: ReportName): Promise<shareApi.GetShareResponse> {
    const current = await this.current(report, false);
    const known = await this.database.withProject(report.projectId, (tx) => this.store.find(tx, report.reportId));
    const state = 'link' in known ? known : await this.publications.carryOut(report, current.registration ?? null, []);
    // Discarded since the record was asked: a read says what it would have said a moment later.
    if (!('link' in state)) throw new DomainError('not_found');
    return { share: this.recordOf(state, current) };
  }

  async publish(report: ReportName): Promise<shareApi.PublishReportResponse> {
    const current = await this.current(report, true);
    if (current.analysisStatus !== 'complete' || current.legacy) throw new DomainError('publish_requirements_unmet');
    const { analysisRevision, contentRevision } = current;
    // Content that is still being made publishes the report by itself; that it is not there yet is no fault of the caller.
    const ready = analysisRevision !== undefined && contentRevision !== undefined;
    const commands: Command[] = ready ? [{ kind: 'contentGenerated', outcome: { analysisRevision, contentRevision } }] : [];
    const state = await this.decideAndApply(report, current, commands);
    const { publicationStatus, publishedAt } = wordOf(report, state)!;
    const { link } = state;
    return {
      publicationStatus,
      publishedAt,
      shareUrl: isValid(link, this.settings.clock.now()) ? shareUrl(this.settings, link.token) : undefined,
    };
  }

  async revoke(report: ReportName): Promise<shareApi.RevokeShareResponse> {
    const current = await this.current(report, true);
    const state = await this.decideAndApply(report, current, [{ kind: 'revokeLink' }]);
    return { share: this.recordOf(state, current) };
  }

  async reissue(report: ReportName): Promise<shareApi.ReissueShareResponse> {
    const current = await this.current(report, true);
    const link = this.publications.newLink(randomBytes(TOKEN_BYTES).toString('base64url'), this.settings.clock.now());
    const state = await this.decideAndApply(report, current, [{ kind: 'issueLink', link }]);
    return { share: this.recordOf(state, current) };
  }

  async discard(request: shareApi.DiscardReportRequest): Promise<shareApi.DiscardReportResponse> {
    await this.publications.discard(request, request);
    return {};
  }

  /** The record shows what was decided before the caller hears of it; where that is lost, the event says it again. */
  private async decideAndApply(
    report: ReportName,
    { registration }: ledgerApi.GetPublicationStateResponse,
    commands: readonly Command[],
  ): Promise<Registered> {
    const state = registered(await this.publications.carryOut(report, registration ?? null, commands));
    await this.ledger.applyPublication(wordOf(report, state)!);
    return state;
  }

  private async current({ projectId, reportId }: ReportName, forChange: boolean): Promise<ledgerApi.GetPublicationStateResponse> {
    if (!isUuid(projectId) || !isUuid(reportId)) throw new DomainError('not_found');
    return this.ledger.getPublicationState({ projectId, reportId, forChange });
  }

  private recordOf(state: Registered, current: ledgerApi.GetPublicationStateResponse): shareApi.ShareRecord {
    const { link } = state;
    return {
      status: linkStatus(link, publishedContent(state), current.contentRevision ?? null, this.settings.clock.now()),
      shareUrl: link.revokedAt === null ? shareUrl(this.settings, link.token) : undefined,
      expiresAt: link.expiresAt.toISOString(),
      revokedAt: link.revokedAt?.toISOString(),
      createdAt: link.createdAt.toISOString(),
    };
  }
}

/** Between the question to the record and the own transaction the report may have been discarded. */
function registered(state: Publication): Registered {
  if ('link' in state) return state;
  throw new DomainError('report_discarded');
}

const publishedContent = (state: Publication): string | null => (state.status === 'published' ? state.last.contentRevision : null);
