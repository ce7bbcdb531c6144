import { AnalyzeRequest, RegisterImagesRequest, UploadTargetsRequest } from '@tire/contracts';
import { Body, Controller, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from './answer';
import { Access, API_PREFIX, Caller } from './edge';
import { ExistenceFirst } from './existence-first.interceptor';
import { JsonBody } from './json-body.pipe';
import { MeasuringService } from './measuring.service';
import type { KeyHolder } from './organization.store';
import { FlagPipe, IdPipe } from './parameters';

@Controller(`${API_PREFIX}/reports/:report_id`)
@UseInterceptors(ExistenceFirst)
export class MeasuringController {
  constructor(private readonly measuring: MeasuringService) {}

  @Post('upload-targets')
  @Access('report:write')
  async uploadTargets(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(UploadTargetsRequest)) request: UploadTargetsRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.measuring.uploadTargets(projectId, reportId, request));
  }

  @Post('images')
  @Access('report:write')
  async images(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(RegisterImagesRequest)) request: RegisterImagesRequest,
    @Query('replace', new FlagPipe('replace')) replace: boolean,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.measuring.images(projectId, reportId, request, replace));
  }

  @Post('analyze')
  @Access('report:write')
  async analyze(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(AnalyzeRequest, { whenEmpty: {} })) request: AnalyzeRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.measuring.analyze(projectId, reportId, request));
  }
}
