import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logger } from '../logs/logger';
import { errorAnswer } from './envelope';
import { CLIENT_CLOSED } from './status';

/** The delay for work that is under way already. It is usually done by then. */
const RETRY_AFTER_SECONDS = '1';

@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  private readonly log = logger('http');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (hungUp(http.getRequest<FastifyRequest>())) {
      this.log.debug('A client closed the connection before its request was complete');
      if (!reply.sent) void reply.code(CLIENT_CLOSED).send();
      return;
    }
    const { status, body } = errorAnswer(error);
    if (status >= 500) this.log.error({ err: error, status }, 'A request failed');
    if (reply.sent) return;
    // Responses with 429 and 503 get the header at the edge.
    if (status === 409 && body.error.retryable) reply.header('retry-after', RETRY_AFTER_SECONDS);
    void reply.code(status).send(body);
  }
}

/** Not a fault of this system: the metric of requests counts it with its own status. */
const hungUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;
