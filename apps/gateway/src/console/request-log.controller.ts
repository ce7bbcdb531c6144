import type { RequestList } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPipe } from '../parameters';
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
    @Query('key_id') keyId: unknown,
  ): Promise<RequestList> {
    const found = await this.log.entries(projectId, optionalKey(keyId), idCursor(page), page.limit + 1);
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

function optionalKey(keyId: unknown): string | null {
  if (keyId === undefined) return null;
  if (typeof keyId === 'string' && isUuid(keyId)) return keyId;
  throw new DomainError('validation_error', { param: 'key_id', message: 'key_id: is no id.' });
}
