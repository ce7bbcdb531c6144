import type { Usage } from '@tire/contracts';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { IdPipe } from '../parameters';
import { CONSOLE_API, ConsoleAccess } from './door';
import { UsageService } from './usage.service';

@Controller(`${CONSOLE_API}/projects/:project_id`)
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('usage')
  @ConsoleAccess('usage.read')
  json(@Param('project_id', IdPipe) projectId: string, @Query() query: Record<string, unknown>): Promise<Usage> {
    return this.usage.of(projectId, query);
  }

  @Get('usage.csv')
  @ConsoleAccess('usage.read')
  async csv(
    @Param('project_id', IdPipe) projectId: string,
    @Query() query: Record<string, unknown>,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    const table = await this.usage.csv(projectId, query);
    return reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="usage.csv"').send(table);
  }
}
