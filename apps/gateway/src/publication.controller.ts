import { PublishResponse, ShareRecord, type shareApi } from '@tire/contracts';
import type { PromiseClient } from '@tire/platform';
import { Controller, Delete, Get, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { json, send } from './answer';
import { Access, API_PREFIX, Caller } from './edge';
import type { KeyHolder } from './organization.store';
import { IdPipe } from './parameters';
import { SHARE } from './tokens';

/** The share page of a report and its link. */
@Controller(`${API_PREFIX}/reports/:report_id`)
export class PublicationController {
  constructor(@Inject(SHARE) private readonly shares: PromiseClient<shareApi.ShareServiceClient>) {}

  @Post('publish')
  @Access('report:publish')
  async publish(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { publicationStatus, shareUrl, publishedAt } = await this.shares.publishReport({ projectId, reportId });
    const answer: PublishResponse = {
      report_id: reportId,
      publication_status: PUBLICATION_STATUSES.parse(publicationStatus),
      share_url: shareUrl ?? null,
      published_at: publishedAt ?? null,
    };
    return send(reply, json(200, JSON.stringify(answer)));
  }

  @Get('share')
  @Access('report:read')
  async share(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { share } = await this.shares.getShare({ projectId, reportId });
    return send(reply, json(200, shareRecord(reportId, share)));
  }

  @Post('share')
  @Access('report:publish')
  async reissue(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { share } = await this.shares.reissueShare({ projectId, reportId });
    return send(reply, json(201, shareRecord(reportId, share)));
  }

  @Delete('share')
  @Access('report:publish')
  async revoke(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { share } = await this.shares.revokeShare({ projectId, reportId });
    return send(reply, json(200, shareRecord(reportId, share)));
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
