import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { GrpcErrorFilter } from '../grpc/error-filter';
import { HttpErrorFilter } from '../http/error-filter';

/** One application serves both; Nest asks the first filter that catches, whatever the request came by. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly http = new HttpErrorFilter();
  private readonly grpc = new GrpcErrorFilter();

  catch(error: unknown, host: ArgumentsHost): void | Observable<never> {
    return host.getType() === 'rpc' ? this.grpc.catch(error) : this.http.catch(error, host);
  }
}
