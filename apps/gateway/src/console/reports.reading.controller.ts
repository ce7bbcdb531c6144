import { ReportFilter, type ImageAddress, type ReportDetail, type ReportList, type VehicleHistory } from '@tire/contracts';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { send } from '../answer';
import { ContentService } from '../content.service';
import { QueryOf } from '../json-body.pipe';
import { IdPipe } from '../parameters';
import { PublicationService } from '../publication.service';
import { CONSOLE_API, ConsoleAccess } from './door';
import { Page, PagePipe } from './page';
import { ReportReading } from './report-reading.service';

@Controller(`${CONSOLE_API}/projects/:project_id`)
export class ReportsReadingController {
  constructor(
    private readonly reading: ReportReading,
    private readonly content: ContentService,
    private readonly publication: PublicationService,
  ) {}

  @Get('reports')
  @ConsoleAccess('reports.read')
  list(
    @Param('project_id', IdPipe) projectId: string,
    @Query(PagePipe) page: Page,
    @Query('search') search: unknown,
    @Query(new QueryOf(ReportFilter)) filter: ReportFilter,
  ): Promise<ReportList> {
    return this.reading.list(projectId, page, search, filter);
  }

  @Get('vehicle-history')
  @ConsoleAccess('reports.read')
  vehicle(@Param('project_id', IdPipe) projectId: string, @Query('external_vehicle_id') vehicleId: unknown): Promise<VehicleHistory> {
    return this.reading.vehicle(projectId, vehicleId);
  }

  @Get('reports/:report_id')
  @ConsoleAccess('reports.read')
  one(@Param('project_id', IdPipe) projectId: string, @Param('report_id', IdPipe) reportId: string): Promise<ReportDetail> {
    return this.reading.detail(projectId, reportId);
  }

  @Get('reports/:report_id/content')
  @ConsoleAccess('reports.read')
  async contentOf(
    @Param('project_id', IdPipe) projectId: string,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    // What is in its status says the same; a page needs no second way to be told.
    const { body } = await this.content.current({ projectId }, reportId, undefined);
    return send(reply, { status: 200, body });
  }

  @Get('reports/:report_id/images/:asset_id')
  @ConsoleAccess('reports.read')
  image(
    @Param('project_id', IdPipe) projectId: string,
    @Param('report_id', IdPipe) reportId: string,
    @Param('asset_id', IdPipe) assetId: string,
  ): Promise<ImageAddress> {
    return this.reading.image(projectId, reportId, assetId);
  }

  @Get('reports/:report_id/share')
  @ConsoleAccess('reports.read')
  async share(
    @Param('project_id', IdPipe) projectId: string,
    @Param('report_id', IdPipe) reportId: string,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return send(reply, await this.publication.share(projectId, reportId));
  }
}
