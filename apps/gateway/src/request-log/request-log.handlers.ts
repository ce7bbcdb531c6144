import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { pageOf } from '../edge/page';
import { LogTailService } from './log-tail.service';
import { RequestLog } from './request-log';
import { shownRequest } from './shown-request';

@Injectable()
export class RequestLogHandlers {
  constructor(
    private readonly log: RequestLog,
    private readonly tail: LogTailService,
  ) {}

  readonly handlers = {
    listRequests: async ({ caller, query: { key_id, cursor, limit } }) => {
      const found = await this.log.entries(caller.projectId, key_id, cursor, limit + 1);
      const { rows, next } = pageOf(found, limit, ({ entryId }) => entryId);
      return {
        requests: rows.map(shownRequest),
        next_cursor: next,
      };
    },
    tailRequests: ({ caller, query, request }) => this.tail.answer(caller, request, query),
  } satisfies Partial<OperationHandlers>;
}
