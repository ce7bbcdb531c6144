import { PublishResponse, ShareRecord, type shareApi } from '@tire/contracts';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { json, type Answer } from './answer';
import { SHARE } from './tokens';

/** The share page of a report and its link. */
@Injectable()
export class PublicationService {
  constructor(@Inject(SHARE) private readonly shares: PromiseClient<shareApi.ShareServiceClient>) {}

  async publish(projectId: string, reportId: string): Promise<Answer> {
    const { publicationStatus, shareUrl, publishedAt } = await this.shares.publishReport({ projectId, reportId });
    const answer: PublishResponse = {
      report_id: reportId,
      publication_status: PUBLICATION_STATUSES.parse(publicationStatus),
      share_url: shareUrl ?? null,
      published_at: publishedAt ?? null,
    };
    return json(200, JSON.stringify(answer));
  }

  async share(projectId: string, reportId: string): Promise<Answer> {
    const { share } = await this.shares.getShare({ projectId, reportId });
    return json(200, shareRecord(reportId, share));
  }

  async reissue(projectId: string, reportId: string): Promise<Answer> {
    const { share } = await this.shares.reissueShare({ projectId, reportId });
    return json(201, shareRecord(reportId, share));
  }

  async revoke(projectId: string, reportId: string): Promise<Answer> {
    const { share } = await this.shares.revokeShare({ projectId, reportId });
    return json(200, shareRecord(reportId, share));
  }
}

const PUBLICATION_STATUSES = PublishResponse.shape.publication_status;
const SHARE_STATUSES = ShareRecord.shape.status;

function shareRecord(reportId: string, share: shareApi.ShareRecord | undefined): string {
  if (!share) throw new Error('Share answered without a record');
  const record: ShareRecord = {
    report_id: reportId,
    status: SHARE_STATUSES.parse(share.status),
    share_url: share.shareUrl ?? null,
    expires_at: share.expiresAt ?? null,
    revoked_at: share.revokedAt ?? null,
    created_at: share.createdAt,
  };
  return JSON.stringify(record);
}
