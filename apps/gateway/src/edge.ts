import { DomainError } from '@tire/kernel';
import { askedBy } from '@tire/platform';
import { BadRequestException, createParamDecorator, Injectable, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from './admission';
import { allows, type Scope } from './domain/scopes';
import { bodySentAs } from './json-body.pipe';
import { KeyAuthority } from './key-authority';
import { KeyUse } from './key-use';
import type { KeyHolder } from './organization.store';

type HookDone = (error?: Error) => void;

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

/** Fastify would wait for the body of a sender that is gone, and its request would count as in flight for ever. */
const hungUp = ({ raw }: FastifyRequest): boolean => raw.destroyed;

/** Nobody reads it. */
const HUNG_UP = new BadRequestException();

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
    fastify.addHook('onRequest', (request, reply, done) => this.admit(request, reply, done));
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, ({ headers }, body, done) =>
      done(null, bodySentAs(headers['content-type'], body)),
    );
  }

  private admit(request: FastifyRequest, reply: FastifyReply, done: HookDone): void {
    // The matched route and not the address decides: an address can be written in many ways.
    const { url: route, config } = request.routeOptions;
    if (!(route ?? request.url).startsWith(`${API_PREFIX}/`) || config.access === 'everyone') return done();
    if (!this.admission.enter(request, reply)) return;
    const holder = this.keys.holderOf(request.headers.authorization);
    if (holder instanceof Promise)
      holder.then((found) => (hungUp(request) ? done(HUNG_UP) : this.judge(found, request, reply, done)), done);
    else this.judge(holder, request, reply, done);
  }

  private judge(caller: KeyHolder | null, request: FastifyRequest, reply: FastifyReply, done: HookDone): void {
    if (!caller) {
      reply.header('www-authenticate', 'Bearer');
      return done(new DomainError('unauthorized'));
    }
    request.caller = caller;
    askedBy(`key:${caller.keyId}`);
    this.keyUse.note(caller.keyId);
    if (!this.admission.spend(caller.keyId, reply)) return;
    const { url: route, config } = request.routeOptions;
    const { access } = config;
    if (route === undefined || access === 'everyone' || (access && allows(caller.scopes, access))) return done();
    done(new DomainError('forbidden'));
  }
}
