import type { ledgerApi } from '@tire/contracts';
import { DomainError, isErrorCode } from '@tire/kernel';
import { batched, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { json, type Answer } from './answer';
import type { KeyHolder } from './organization.store';
import { LEDGER } from './tokens';

@Injectable()
export class ReadingService {
  private readonly answerOf: (key: ledgerApi.ReportKey) => Promise<ledgerApi.ReportAnswer>;

  constructor(@Inject(LEDGER) ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {
    this.answerOf = batched(async (keys, options) => (await ledger.getReports({ keys }, options)).answers);
  }

  async report({ projectId }: Pick<KeyHolder, 'projectId'>, reportId: string): Promise<Answer> {
    const { reportJson, errorCode } = await this.answerOf({ projectId, reportId });
    if (errorCode !== '') throw new DomainError(isErrorCode(errorCode) ? errorCode : 'internal_error');
    return json(200, reportJson);
  }
}
