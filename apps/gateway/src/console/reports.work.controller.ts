import {
  AnalyzeRequest,
  CreateConsoleReportRequest,
  CreateManualReportRequest,
  RegisterImagesRequest,
  UploadTargetsRequest,
} from '@tire/contracts';
import { Body, Controller, Delete, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from '../answer';
import { JsonBody } from '../json-body.pipe';
import { FlagPipe, IdempotencyKey, IdPipe } from '../parameters';
import { CONSOLE_API, ConsoleAccess, SignedIn, type SignedInVisitor } from './door';
import { ReportWork } from './report-work.service';

@Controller(`${CONSOLE_API}/projects/:project_id`)
export class ReportsWorkController {
  constructor(private readonly work: ReportWork) {}

  @Post('reports')
  @ConsoleAccess('reports.write')
  async create(
    @SignedIn() visitor: SignedInVisitor,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Body(new JsonBody(CreateConsoleReportRequest)) request: CreateConsoleReportRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.create(visitor, idempotencyKey, request));
  }

  @Post('manual-reports')
  @ConsoleAccess('reports.write')
  async createManual(
    @SignedIn() visitor: SignedInVisitor,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Body(new JsonBody(CreateManualReportRequest)) request: CreateManualReportRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.createManual(visitor, idempotencyKey, request));
  }

  @Post('reports/:report_id/upload-targets')
  @ConsoleAccess('reports.write')
  async targets(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(UploadTargetsRequest)) request: UploadTargetsRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.targets(visitor, reportId, request));
  }

  @Post('reports/:report_id/images')
  @ConsoleAccess('reports.write')
  async images(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(RegisterImagesRequest)) request: RegisterImagesRequest,
    @Query('replace', new FlagPipe('replace')) replace: boolean,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.images(visitor, reportId, request, replace));
  }

  @Post('reports/:report_id/analyze')
  @ConsoleAccess('reports.write')
  async analyze(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(AnalyzeRequest, { whenEmpty: {} })) request: AnalyzeRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.analyze(visitor, reportId, request));
  }

  @Post('reports/:report_id/publish')
  @ConsoleAccess('reports.publish')
  async publish(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.publish(visitor, reportId));
  }

  @Post('reports/:report_id/share')
  @ConsoleAccess('reports.publish')
  async reissueShare(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.reissueShare(visitor, reportId));
  }

  @Delete('reports/:report_id/share')
  @ConsoleAccess('reports.publish')
  async revokeShare(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.revokeShare(visitor, reportId));
  }

  @Delete('reports/:report_id')
  @ConsoleAccess('reports.discard')
  async discard(
    @SignedIn() visitor: SignedInVisitor,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.work.discard(visitor, reportId));
  }
}
