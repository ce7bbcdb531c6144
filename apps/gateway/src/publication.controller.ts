import { Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from './answer';
import { Access, API_PREFIX, Caller } from './edge';
import type { KeyHolder } from './organization.store';
import { IdPipe } from './parameters';
import { PublicationService } from './publication.service';

/** The share page of a report and its link. */
@Controller(`${API_PREFIX}/reports/:report_id`)
export class PublicationController {
  constructor(private readonly publication: PublicationService) {}

  @Post('publish')
  @Access('report:publish')
  async publish(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.publication.publish(projectId, reportId));
  }

  @Get('share')
  @Access('report:read')
  async share(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.publication.share(projectId, reportId));
  }

  @Post('share')
  @Access('report:publish')
  async reissue(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.publication.reissue(projectId, reportId));
  }

  @Delete('share')
  @Access('report:publish')
  async revoke(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.publication.revoke(projectId, reportId));
  }
}
