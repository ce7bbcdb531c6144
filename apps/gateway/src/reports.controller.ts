import { CreateReportRequest } from '@tire/contracts';
import { Body, Controller, Delete, Get, Headers, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from './answer';
import { ContentService } from './content.service';
import { Access, API_PREFIX, Caller } from './edge';
import { JsonBody } from './json-body.pipe';
import type { KeyHolder } from './organization.store';
import { IdempotencyKey, IdPipe } from './parameters';
import { ReportsService } from './reports.service';

@Controller(`${API_PREFIX}/reports`)
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly content: ContentService,
  ) {}

  @Post()
  @Access('report:write')
  async create(
    @Caller() caller: KeyHolder,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Body(new JsonBody(CreateReportRequest)) request: CreateReportRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.reports.create(caller, idempotencyKey, request));
  }

  @Get(':report_id')
  @Access('report:read')
  async report(
    @Caller() caller: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.reports.report(caller, reportId));
  }

  @Get(':report_id/content')
  @Access('report:read')
  async currentContent(
    @Caller() caller: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.content.current(caller, reportId, ifNoneMatch));
  }

  @Get(':report_id/content/:content_revision')
  @Access('report:read')
  async fixedContent(
    @Caller() caller: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Param('content_revision', IdPipe) contentRevision: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.content.fixed(caller, reportId, contentRevision, ifNoneMatch));
  }

  @Delete(':report_id')
  @Access('report:discard')
  async discard(
    @Caller() caller: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.reports.discard(caller, reportId));
  }
}
