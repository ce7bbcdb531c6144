import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { status } from '@grpc/grpc-js';
import { DomainError, ERRORS } from '@tire/kernel';
import { type Observable, throwError } from 'rxjs';
import { logger } from '../logs/logger';
import { toTrailer } from './error-details';

/** Sends a DomainError as its status with details in a trailer. Logs any other error and sends the client only a general failure. */
@Catch()
export class GrpcErrorFilter implements RpcExceptionFilter {
  private readonly log = logger('grpc');

  catch(error: unknown): Observable<never> {
    const refusal = error instanceof DomainError ? error : new DomainError('internal_error', { cause: error });
    const { grpcStatus } = ERRORS[refusal.code];
    if (refusal.code === 'internal_error') this.log.error({ err: error }, 'A call failed');
    return throwError(() => ({ code: status[grpcStatus], details: refusal.message, metadata: toTrailer(refusal) }));
  }
}
