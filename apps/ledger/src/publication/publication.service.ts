import type { PublicationChanged } from '@tire/contracts/events';
import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import type { ReportCommand } from '../domain/decide';
import { judgeMutation } from '../domain/mutability';
import { contentState, isPublicationStatus } from '../domain/status';
import { ReportCommands, refusalError } from '../reports/report.commands';
import { findByShareToken } from '../reports/reads.store';
import { findReportRow } from '../reports/report.store';

/** What the share service reads from a report, and what it reports back. */
@Injectable()
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
  ) {}

  async state(request: ledgerApi.GetPublicationStateRequest): Promise<ledgerApi.GetPublicationStateResponse> {
    const { projectId, reportId, forChange } = request;
    if (!isUuid(reportId)) throw new DomainError('not_found');
    const { state, analysisStatus } = await this.database.withProject(projectId, (tx) => findReportRow(tx, reportId));
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
      registration: {
        shareToken: identity.shareToken,
        createdAt: identity.createdAt,
        callbackUrl: identity.callbackUrl ?? undefined,
        externalInspectionId: identity.externalInspectionId ?? undefined,
        externalVehicleId: identity.externalVehicleId ?? undefined,
      },
    };
  }

  async apply(request: ledgerApi.ApplyPublicationRequest): Promise<ledgerApi.ApplyPublicationResponse> {
    await this.commands.note(request.projectId, request.reportId, recordPublication(request));
    return {};
  }

  async findToken({ shareToken }: ledgerApi.FindShareTokenRequest): Promise<ledgerApi.FindShareTokenResponse> {
    const found = await findByShareToken(this.database, shareToken);
    if (!found) throw new DomainError('not_found');
    return found;
  }
}

export function recordPublication(change: PublicationChanged | ledgerApi.ApplyPublicationRequest): ReportCommand {
  const { version, publicationStatus: status, publishedAt, analysisRevision, shareToken, linkExpiresAt } = change;
  if (!isPublicationStatus(status)) throw new Error(`No publication status: ${status}`);
  const link = shareToken === undefined ? null : { token: shareToken, expiresAt: linkExpiresAt ?? null };
  return {
    type: 'recordPublication',
    publication: { version, status, publishedAt: publishedAt ?? null, analysisRevision: analysisRevision ?? null, link },
  };
}
