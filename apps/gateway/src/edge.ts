import { DomainError } from '@tire/kernel';
import { createParamDecorator, Injectable, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from './admission';
import { allows, type Scope } from './domain/scopes';
import { KeyAuthority } from './key-authority';
import { KeyUse } from './key-use';
import type { KeyHolder } from './organization.store';

export const API_PREFIX = '/api/v1';

declare module 'fastify' {
  interface FastifyRequest {
    caller: KeyHolder | null;
  }
  interface FastifyContextConfig {
    access?: Scope | 'everyone';
  }
}

/** Which scope a route asks for. A route of the API that asks for none is closed. */
export const Access = (access: Scope | 'everyone') => RouteConfig({ access });

export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): KeyHolder => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('A route that needs a caller was reached without one');
  return caller;
});

/**
 * What happens before a body is read. Fastify reads it before Nest's guards run, and a caller without a key must not learn what is
 * wrong with it: so keys and scopes are judged in the first hook, and the body arrives at its pipe as bytes.
 */
@Injectable()
export class Edge implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly keys: KeyAuthority,
    private readonly keyUse: KeyUse,
    private readonly admission: Admission,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.decorateRequest('caller', null);
    fastify.addHook('onRequest', (request, reply) => this.admit(request, reply));
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    // The matched route and not the address decides: an address can be written in many ways.
    const { url: route, config } = request.routeOptions;
    if (!(route ?? request.url).startsWith(`${API_PREFIX}/`) || config.access === 'everyone') return;
    if (!this.admission.enter(request, reply)) return reply;
    request.caller = await this.keys.holderOf(request.headers.authorization);
    if (!request.caller) throw new DomainError('unauthorized');
    this.keyUse.note(request.caller.keyId);
    if (!this.admission.spend(request.caller.keyId, reply)) return reply;
    if (route === undefined) return;
    if (!config.access || !allows(request.caller.scopes, config.access)) throw new DomainError('forbidden');
  }
}
