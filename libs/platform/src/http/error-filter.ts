import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { logger } from '../logs/logger';
import { errorAnswer } from './envelope';

@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  private readonly log = logger('http');

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, body } = errorAnswer(error);
    if (status >= 500) this.log.error({ err: error, status }, 'A request failed');
    if (reply.sent) return;
    void reply.code(status).send(body);
  }
}
