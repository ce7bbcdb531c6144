import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from './answer';
import { ContentService } from './content.service';
import { Access, API_PREFIX, Caller } from './edge';
import type { KeyHolder } from './organization.store';
import { IdPipe } from './parameters';
import { ReadingService } from './reading.service';

@Controller(`${API_PREFIX}/reports/:report_id`)
export class ReadingController {
  constructor(
    private readonly reading: ReadingService,
    private readonly content: ContentService,
  ) {}

  @Get()
  @Access('report:read')
  async report(
    @Caller() caller: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.reading.report(caller, reportId));
  }

  @Get('content')
  @Access('report:read')
  async currentContent(
    @Caller() caller: KeyHolder,
    @Param('report_id', IdPipe) reportId: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.content.current(caller, reportId, ifNoneMatch));
  }

  @Get('content/:content_revision')
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
}
