import type { PublicationChanged } from '@tire/contracts/events';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { DomainError, isUuid } from '@tire/kernel';
import { Database, logger, type PromiseClient, type SealingKeys, SHARE, turnDeadline } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ReportCommand } from '../domain/decide';
import type { ReportIdentity } from '../domain/report';
import { sandboxEffects } from '../domain/sandbox';
import type { NotedToken } from '../domain/share-link';
import { judgeMutation } from '../domain/mutability';
import { contentState, isPublicationStatus } from '../domain/status';
import { ReportCommands, refusalError } from '../reports/report.commands';
import { findByShareToken } from '../reports/reads.store';
import { findReportRow, findSlots } from '../reports/report.store';
import { openToken, sealedToken, tokenDigest } from '../reports/share-token';
import { SEALING_KEYS } from '../tokens';

const log = logger('ledger.publication');

interface Owner {
  readonly projectId: string;
  readonly reportId: string;
}

/** Answers the share service: what it reads from a report, and what it reports back. */
@Injectable()
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(SEALING_KEYS) private readonly keys: SealingKeys,
  ) {}

  async state(request: ledgerApi.GetPublicationStateRequest): Promise<ledgerApi.GetPublicationStateResponse> {
    const { projectId, reportId, forChange } = request;
    if (!isUuid(reportId)) throw new DomainError('not_found');
    const { state, analysisStatus, slots } = await this.database.withProject(projectId, async (tx) => {
      const row = await findReportRow(tx, reportId);
      const isOfSandbox = row.state.lifecycle === 'open' && row.state.report.identity.projectMode === 'test';
      return { ...row, slots: isOfSandbox ? await findSlots(tx, reportId) : [] };
    });
    if (state.lifecycle !== 'open') {
      const refusal = forChange ? judgeMutation(state) : null;
      throw refusal ? refusalError(refusal) : new DomainError('not_found');
    }
    const { identity, revision, content: projection } = state.report;
    const content = contentState({ analysisStatus, revision, content: projection, legacy: identity.legacy });
    return {
      analysisStatus,
      analysisRevision: revision?.revisionId,
      contentRevision: content.status === 'ready' ? content.contentRevision : undefined,
      legacy: identity.legacy,
      registration: this.registrationOf(identity),
      callbackFailures: sandboxEffects(slots)?.callbackFailures ?? 0,
    };
  }

  /** Undefined if the token cannot be opened: the share service may have the report already, and then needs no registration. */
  private registrationOf(identity: ReportIdentity): ledgerApi.ShareRegistration | undefined {
    try {
      return {
        shareToken: openToken(this.keys, identity, identity.shareToken.sealed),
        createdAt: identity.createdAt,
        callbackUrl: identity.callbackUrl ?? undefined,
        externalInspectionId: identity.externalInspectionId ?? undefined,
        externalVehicleId: identity.externalVehicleId ?? undefined,
        branchId: identity.branchId ?? undefined,
      };
    } catch (error) {
      log.error({ err: error, report_id: identity.reportId }, 'The share token of a report cannot be opened');
      return undefined;
    }
  }

  async apply(request: ledgerApi.ApplyPublicationRequest): Promise<ledgerApi.ApplyPublicationResponse> {
    await this.record(request, request, turnDeadline());
    return {};
  }

  /**
   * An event has the digest of the token only. The token is known here, because the link is that of the creation, or because the share
   * service applied the change by a call before. If that call was lost, the ledger requests the token from the share service.
   */
  async changed(change: PublicationChanged): Promise<void> {
    const { projectId, reportId, linkDigest, version } = change;
    const token = linkDigest ? { digest: linkDigest } : null;
    const state = await this.commands.note(projectId, reportId, recordPublication(change, token));
    if (state?.lifecycle !== 'open' || state.report.publication.version >= version) return;
    await this.record(change, await this.share.getPublication({ projectId, reportId }));
  }

  private async record(owner: Owner, change: shareApi.GetPublicationResponse, untilMs?: number): Promise<void> {
    const { projectId, reportId } = owner;
    const { shareToken } = change;
    const token = shareToken === undefined ? null : sealedToken(this.keys, { projectId, reportId }, shareToken);
    await this.commands.note(projectId, reportId, recordPublication(change, token), untilMs);
  }

  async findToken({ shareToken }: ledgerApi.FindShareTokenRequest): Promise<ledgerApi.FindShareTokenResponse> {
    const found = await findByShareToken(this.database, tokenDigest(shareToken));
    if (!found) throw new DomainError('not_found');
    return found;
  }
}

type Change = Omit<shareApi.GetPublicationResponse, 'shareToken'>;

function recordPublication(change: Change, token: NotedToken | null): ReportCommand {
  const { version, publicationStatus: status, publishedAt, analysisRevision, linkExpiresAt, captureFinishedAt } = change;
  if (!isPublicationStatus(status)) throw new Error(`No publication status: ${status}`);
  const link = token && { token, expiresAt: linkExpiresAt ?? null };
  return {
    type: 'recordPublication',
    publication: {
      ...{ version, status, link },
      publishedAt: publishedAt ?? null,
      analysisRevision: analysisRevision ?? null,
      captureFinishedAt: captureFinishedAt ?? null,
    },
  };
}
