import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { pageOf } from '../edge/page';
import { RequestLog } from './request-log';

@Injectable()
export class RequestLogHandlers {
  constructor(private readonly log: RequestLog) {}

  readonly handlers = {
    listRequests: async ({ caller, query: { key_id, cursor, limit } }) => {
      const found = await this.log.entries(caller.projectId, key_id, cursor, limit + 1);
      const { rows, next } = pageOf(found, limit, ({ entryId }) => entryId);
      return {
        requests: rows.map(({ at, keyId, method, path, status, durationMs, requestId }) => ({
          at: at.toISOString(),
          key_id: keyId,
          method,
          path,
          status,
          duration_ms: durationMs,
          request_id: requestId,
        })),
        next_cursor: next,
      };
    },
  } satisfies Partial<OperationHandlers>;
}
