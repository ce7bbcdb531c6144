import { DomainError, slotId } from '@tire/kernel';
import { Report, ShareRecord, type CreateReportRequest, type ledgerApi, type RegisterImagesRequest, type shareApi } from '@tire/contracts';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { json, type Answer } from './answer';
import type { KeyHolder } from './organization.store';
import { LEDGER, SHARE } from './tokens';

@Injectable()
export class ReportsService {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SHARE) private readonly shares: PromiseClient<shareApi.ShareServiceClient>,
  ) {}

  async create(caller: KeyHolder, idempotencyKey: string | undefined, request: CreateReportRequest): Promise<Answer> {
    const { httpStatus, responseJson } = await this.ledger.createReport({
      projectId: caller.projectId,
      projectMode: caller.mode,
      idempotencyKey,
      requestDigest: digestOf('POST /reports', request),
      plateNumber: request.plate_number ?? undefined,
      externalInspectionId: request.external_inspection_id ?? undefined,
      externalVehicleId: request.external_vehicle_id ?? undefined,
      templateKey: request.template ?? '',
      callbackUrl: request.callback_url ?? undefined,
      contentProfile: contentProfile(request),
      metadataJson: JSON.stringify(request.metadata ?? {}),
      images: (request.images ?? []).map(({ slot, source }) => ({
        slotId: slotId(slot),
        url: source.url,
        clientAssetId: source.client_asset_id ?? undefined,
      })),
    });
    return json(httpStatus, responseJson);
  }

  async report({ projectId }: KeyHolder, reportId: string): Promise<Answer> {
    const { reportJson } = await this.ledger.getReport({ projectId, reportId });
    return json(200, reportJson);
  }

  async registerImages({ projectId }: KeyHolder, reportId: string, request: RegisterImagesRequest, replace: boolean): Promise<Answer> {
    const images = request.images.map(({ asset_id, slot }) => ({ slotId: slotId(slot), assetId: asset_id.toLowerCase() }));
    const { responseJson } = await this.ledger.registerImages({ projectId, reportId, images, replace });
    return json(202, responseJson);
  }

  async share({ projectId }: KeyHolder, reportId: string): Promise<Answer> {
    // Share may know a link of a report that the ledger does not serve any more, or not know yet one that it does.
    const [{ reportJson }, share] = await Promise.all([
      this.ledger.getReport({ projectId, reportId }),
      this.shares.getShare({ projectId, reportId }).catch(nullWhenNotFound),
    ]);
    const record: ShareRecord = share ? shareRecord(reportId, share) : newestLink(Report.parse(JSON.parse(reportJson.toString())));
    return json(200, JSON.stringify(record));
  }
}

/** The same request is one that means the same: whitespace, order of fields and fields that nobody knows don't count. */
const digestOf = (operation: string, request: unknown): Buffer =>
  createHash('sha256')
    .update(`${operation}\n${JSON.stringify(request)}`)
    .digest();

function contentProfile({ content_profile: profile }: CreateReportRequest): ledgerApi.ContentProfile | undefined {
  return profile ? { key: profile.key ?? '', version: profile.version ?? '', locale: profile.locale ?? '' } : undefined;
}

const SHARE_STATUSES = ShareRecord.shape.status;

const shareRecord = (reportId: string, share: shareApi.GetShareResponse): ShareRecord => ({
  report_id: reportId,
  status: SHARE_STATUSES.parse(share.status),
  share_url: share.shareUrl ?? null,
  expires_at: share.expiresAt ?? null,
  revoked_at: share.revokedAt ?? null,
  created_at: share.createdAt,
});

/** The link was minted with the report and is on its way to its owner, who will set the day on which it expires. */
const newestLink = ({ report_id, links, timestamps }: Report): ShareRecord => ({
  report_id,
  status: 'closed',
  share_url: links.share,
  expires_at: null,
  revoked_at: null,
  created_at: timestamps.created_at,
});

function nullWhenNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'not_found') return null;
  throw error;
}
