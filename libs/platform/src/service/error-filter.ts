import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { GrpcErrorFilter } from '../grpc/error-filter';
import { HttpErrorFilter } from '../http/error-filter';

/** One filter for HTTP and gRPC: Nest calls the first filter that catches, for either protocol. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly http = new HttpErrorFilter();
  private readonly grpc = new GrpcErrorFilter();

  catch(error: unknown, host: ArgumentsHost): void | Observable<never> {
    return host.getType() === 'rpc' ? this.grpc.catch(error) : this.http.catch(error, host);
  }
}
