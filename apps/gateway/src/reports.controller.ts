import { CreateReportRequest } from '@tire/contracts';
import { Body, Controller, Delete, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from './answer';
import { Access, API_PREFIX, Caller } from './edge';
import { JsonBody } from './json-body.pipe';
import type { KeyHolder } from './organization.store';
import { IdempotencyKey, IdPipe } from './parameters';
import { ReportsService } from './reports.service';

@Controller(`${API_PREFIX}/reports`)
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

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
