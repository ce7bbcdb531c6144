import { PublishResponse, ShareRecord } from '@tire/contracts/api';
import type { shareApi } from '@tire/contracts/grpc';
import { SHARE } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';

/** The share page of a report and its link. */
@Injectable()
export class PublicationService {
  constructor(@Inject(SHARE) private readonly shares: PromiseClient<shareApi.ShareServiceClient>) {}

  async publish(projectId: string, reportId: string): Promise<PublishResponse> {
    const { publicationStatus, shareUrl, publishedAt } = await this.shares.publishReport({ projectId, reportId });
    const response: PublishResponse = {
      report_id: reportId,
      publication_status: PUBLICATION_STATUSES.parse(publicationStatus),
      share_url: shareUrl ?? null,
      published_at: publishedAt ?? null,
    };
    return response;
  }

  async share(projectId: string, reportId: string): Promise<ShareRecord> {
    const { share } = await this.shares.getShare({ projectId, reportId });
    return shareRecord(reportId, share);
  }

  async reissue(projectId: string, reportId: string): Promise<ShareRecord> {
    const { share } = await this.shares.reissueShare({ projectId, reportId });
    return shareRecord(reportId, share);
  }

  async revoke(projectId: string, reportId: string): Promise<ShareRecord> {
    const { share } = await this.shares.revokeShare({ projectId, reportId });
    return shareRecord(reportId, share);
  }
}

const PUBLICATION_STATUSES = PublishResponse.shape.publication_status;
const SHARE_STATUSES = ShareRecord.shape.status;

function shareRecord(reportId: string, share: shareApi.ShareRecord | undefined): ShareRecord {
  if (!share) throw new Error('The share service returned no record');
  return {
    report_id: reportId,
    status: SHARE_STATUSES.parse(share.status),
    share_url: share.shareUrl ?? null,
    expires_at: share.expiresAt ?? null,
    revoked_at: share.revokedAt ?? null,
    created_at: share.createdAt,
  };
}
