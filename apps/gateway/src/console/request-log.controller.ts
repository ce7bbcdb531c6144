import type { RequestList } from '@tire/contracts';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPipe, OptionalIdPipe } from '../parameters';
import { CONSOLE_API, ConsoleAccess } from './door';
import { idCursor, Page, pageOf, PagePipe } from './page';
import { RequestLog } from './request-log';

@Controller(`${CONSOLE_API}/projects/:project_id/requests`)
export class RequestLogController {
  constructor(private readonly log: RequestLog) {}

  @Get()
  @ConsoleAccess('request_log.read')
  async list(
    @Param('project_id', IdPipe) projectId: string,
    @Query(PagePipe) page: Page,
    @Query('key_id', new OptionalIdPipe('key_id')) keyId: string | null,
  ): Promise<RequestList> {
    const found = await this.log.entries(projectId, keyId, idCursor(page), page.limit + 1);
    const { rows, next } = pageOf(found, page, ({ entryId }) => entryId);
    return {
      requests: rows.map(({ at, keyId: key_id, method, path, status, durationMs, requestId }) => ({
        at: at.toISOString(),
        key_id,
        method,
        path,
        status,
        duration_ms: durationMs,
        request_id: requestId,
      })),
      next_cursor: next,
    };
  }
}
