import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { HttpResponse } from '../edge/response';
import { PricesService } from './prices.service';
import { UsageService } from './usage.service';

@Injectable()
export class UsageHandlers {
  constructor(
    private readonly usage: UsageService,
    private readonly prices: PricesService,
  ) {}

  readonly handlers = {
    getUsage: ({ caller, query }) => this.usage.of(caller, query),
    listReportPrices: ({ caller }) => this.prices.list(caller),
    setReportPrice: ({ caller, body }) => this.prices.set(caller, body),
    removeReportPrice: ({ caller, query }) => this.prices.remove(caller, query.valid_from),
    getUsageCsv: async ({ caller, query }): Promise<HttpResponse> => {
      const table = await this.usage.csv(caller, query);
      return new HttpResponse(table, { 'content-disposition': 'attachment; filename="usage.csv"' }, { type: 'text/csv; charset=utf-8' });
    },
  } satisfies Partial<OperationHandlers>;
}
