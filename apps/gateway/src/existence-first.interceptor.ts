import { DomainError, isUuid } from '@tire/kernel';
import type { ledgerApi } from '@tire/contracts';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { catchError, type Observable } from 'rxjs';
import { LEDGER } from './tokens';

/**
 * 404, and 409 of a closed report, come before 422: what is wrong with a body is told only to those whose report it is about.
 * The extra question is asked when a body was refused; a good request costs nothing more.
 */
@Injectable()
export class ExistenceFirst implements NestInterceptor {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof DomainError && error.code === 'validation_error') await this.requireReport(context);
        throw error;
      }),
    );
  }

  private async requireReport(context: ExecutionContext): Promise<void> {
    const { params, caller } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { report_id: string } }>>();
    if (!caller || !isUuid(params.report_id)) throw new DomainError('not_found');
    await this.ledger.getMutability({ projectId: caller.projectId, reportId: params.report_id });
  }
}
