import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { HttpResponse } from '../edge/response';
import { UsageService } from './usage.service';

@Injectable()
export class UsageHandlers {
  constructor(private readonly usage: UsageService) {}

  readonly handlers = {
    getUsage: ({ caller, query }) => this.usage.of(caller.projectId, query),
    getUsageCsv: async ({ caller, query }): Promise<HttpResponse> => {
      const table = await this.usage.csv(caller.projectId, query);
      return new HttpResponse(table, { 'content-disposition': 'attachment; filename="usage.csv"' }, { type: 'text/csv; charset=utf-8' });
    },
  } satisfies Partial<OperationHandlers>;
}
