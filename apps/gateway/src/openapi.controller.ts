import { openapiJson } from '@tire/contracts';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { json, send } from './answer';
import type { ApiDocument } from './documentation/api-document';
import { DOCUMENTATION_POLICY, documentationPage } from './documentation/page';
import { Access, API_PREFIX } from './edge';

const PAGE_HEADERS = { 'content-security-policy': DOCUMENTATION_POLICY, 'x-content-type-options': 'nosniff' };

@Controller()
export class OpenapiController {
  /** The committed document: a spec of the contracts holds the two equal. */
  private readonly document = Buffer.from(openapiJson());
  private readonly documentation = documentationPage(JSON.parse(openapiJson()) as ApiDocument);

  @Get(`${API_PREFIX}/openapi.json`)
  @Access('everyone')
  openapi(@Res() reply: FastifyReply): FastifyReply {
    return send(reply, json(200, this.document));
  }

  @Get('docs')
  @Access('everyone')
  page(@Res() reply: FastifyReply): FastifyReply {
    return reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS).send(this.documentation);
  }
}
