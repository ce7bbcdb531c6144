import { AnalyzeRequest, RegisterImagesRequest, UploadTargetsRequest, type ledgerApi } from '@tire/contracts';
import { slotId } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { Body, Controller, Inject, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { json, send } from './answer';
import { Access, API_PREFIX, Caller } from './edge';
import { ExistenceFirst } from './existence-first.interceptor';
import { JsonBody } from './json-body.pipe';
import type { KeyHolder } from './organization.store';
import { FlagPipe, IdPipe } from './parameters';
import { LEDGER } from './tokens';

/** Longer than other calls may take: every photograph that is registered is verified. */
const REGISTRATION_DEADLINE_MS = 30_000;

/** What is asked of the slots of a report: where to upload, what was uploaded, what to measure again. */
@Controller(`${API_PREFIX}/reports/:report_id`)
@UseInterceptors(ExistenceFirst)
export class MeasuringController {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  @Post('upload-targets')
  @Access('report:write')
  async uploadTargets(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(UploadTargetsRequest)) { slots }: UploadTargetsRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const slotIds = slots.map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.issueUploadTargets({ projectId, reportId, slotIds });
    return send(reply, json(201, responseJson));
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
    const images = request.images.map(({ asset_id, slot }) => ({ slotId: slotId(slot), assetId: asset_id.toLowerCase() }));
    const { responseJson } = await this.ledger.registerImages(
      { projectId, reportId, images, replace },
      { deadlineMs: REGISTRATION_DEADLINE_MS },
    );
    return send(reply, json(202, responseJson));
  }

  @Post('analyze')
  @Access('report:write')
  async analyze(
    @Caller() { projectId }: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Body(new JsonBody(AnalyzeRequest, { whenEmpty: {} })) { slots }: AnalyzeRequest,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const slotIds = (slots ?? []).map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.analyzeSlots({ projectId, reportId, slotIds });
    return send(reply, json(202, responseJson));
  }
}
