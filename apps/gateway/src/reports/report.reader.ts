import type { ledgerApi } from '@tire/contracts/grpc';
import { errorOfCode } from '@tire/kernel';
import { batched, LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { HttpResponse } from '../edge/response';

@Injectable()
export class ReportReader {
  private readonly answerOf: (key: ledgerApi.ReportKey) => Promise<ledgerApi.ReportAnswer>;

  constructor(@Inject(LEDGER) ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {
    this.answerOf = batched(async (keys, options) => (await ledger.getReports({ keys, acceptsPart: true }, options)).answers, {
      call: { callee: 'ledger', rpc: 'GetReports' },
      groupOf: ({ projectId }) => projectId,
    });
  }

  async report(projectId: string, reportId: string): Promise<HttpResponse> {
    const { reportJson, errorCode } = await this.answerOf({ projectId, reportId });
    if (errorCode !== '') throw errorOfCode(errorCode);
    return new HttpResponse(reportJson);
  }
}
