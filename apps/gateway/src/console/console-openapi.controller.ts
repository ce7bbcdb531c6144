import { consoleOpenapiJson } from '@tire/contracts';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { json, send } from '../answer';
import { CONSOLE_API, ConsoleAccess } from './door';

@Controller(CONSOLE_API)
export class ConsoleOpenapiController {
  /** The committed document: a spec of the contracts holds the two equal. */
  private readonly document = Buffer.from(consoleOpenapiJson());

  @Get('openapi.json')
  @ConsoleAccess('everyone')
  openapi(@Res() reply: FastifyReply): FastifyReply {
    return send(reply, json(200, this.document));
  }
}
