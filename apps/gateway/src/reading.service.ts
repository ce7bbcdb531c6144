import type { ledgerApi } from '@tire/contracts';
import { DomainError, isErrorCode } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { json, type Answer } from './answer';
import type { KeyHolder } from './organization.store';
import { LEDGER } from './tokens';

@Injectable()
export class ReadingService {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  async report({ projectId }: KeyHolder, reportId: string): Promise<Answer> {
    const { answers } = await this.ledger.getReports({ keys: [{ projectId, reportId }] });
    const { reportJson, errorCode } = answers[0]!;
    if (errorCode !== '') throw new DomainError(isErrorCode(errorCode) ? errorCode : 'internal_error');
    return json(200, reportJson);
  }
}
