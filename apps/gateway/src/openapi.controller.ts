import { openapiJson } from '@tire/contracts';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { json, send } from './answer';
import { Access, API_PREFIX } from './edge';

@Controller(API_PREFIX)
export class OpenapiController {
  /** The committed document: a spec of the contracts holds the two equal. */
  private readonly document = Buffer.from(openapiJson());

  @Get('openapi.json')
  @Access('everyone')
  openapi(@Res() reply: FastifyReply): FastifyReply {
    return send(reply, json(200, this.document));
  }
}
