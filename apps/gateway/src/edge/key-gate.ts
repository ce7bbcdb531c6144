import { allows, type RequiredScope } from '@tire/contracts/api';
import { DomainError } from '@tire/kernel';
import { setActor, setSubject } from '@tire/platform';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerKey, KeyAuthority } from '../keys/key-authority';
import type { KeyHolder } from '../keys/key.store';
import { KeyUse } from '../keys/key-use';
import { Admission } from './admission';
import { Clients } from './client';
import { CONNECTION_CLOSED, isClosed } from './closed-connection';
import { API_PREFIX } from './api-prefix';
import { otherMethodError, pathIn } from './known-paths';
import { bodySentAs } from './validation';

type HookDone = (error?: Error) => void;

declare module 'fastify' {
  interface FastifyRequest {
    caller: KeyHolder | null;
  }
  interface FastifyContextConfig {
    /** The scope that a route below /api/v1 requires. A route without one is closed. */
    scope?: RequiredScope | 'everyone';
    /** False: a successful request is left out of the request log. */
    isLogged?: boolean;
  }
}

/**
 * Checks keys, scopes and rate limits of requests to the API before their body is read. Fastify reads a body before Nest's guards run,
 * and a caller without a key must not get the faults of a body. So the check is the first hook, and a body arrives as bytes.
 */
@Injectable()
export class KeyGate implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly keys: KeyAuthority,
    private readonly keyUse: KeyUse,
    private readonly admission: Admission,
    private readonly clients: Clients,
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
    // The check uses the matched route, because a path can be written in many ways.
    const { url: route, config } = request.routeOptions;
    if (!(route ?? pathIn(request.url)).startsWith(`${API_PREFIX}/`) || config.scope === 'everyone') return done();
    if (!this.admission.isOnTime(reply)) return;
    const holder = this.keys.holderOf(request.headers.authorization, () => this.clients.addressOf(request));
    if (holder instanceof Promise)
      holder.then((found) => (isClosed(request) ? done(CONNECTION_CLOSED) : this.authorize(found, request, reply, done)), done);
    else this.authorize(holder, request, reply, done);
  }

  private authorize(caller: KeyHolder | null, request: FastifyRequest, reply: FastifyReply, done: HookDone): void {
    if (!caller) {
      reply.header('www-authenticate', 'Bearer');
      return done(new DomainError('unauthorized', { message: whatIsMissing(request.headers.authorization) }));
    }
    request.caller = caller;
    setActor(`key:${caller.keyId}`);
    setSubject({ projectId: caller.projectId });
    this.keyUse.note(caller.keyId);
    if (!this.admission.enter(request, reply, caller)) return;
    const { url: route, config } = request.routeOptions;
    const { scope } = config;
    if (route === undefined) return done(otherMethodError(request, reply));
    if (scope === 'everyone' || (scope && allows(caller.scopes, scope))) return done();
    done(new DomainError('forbidden'));
  }
}

/**
 * What the caller can put right. Every key that is not valid gets the same text, whether it is malformed, unknown or revoked: it must not
 * help to find one.
 */
function whatIsMissing(authorization: string | undefined): string {
  if (!authorization) return 'The header Authorization is missing; send Authorization: Bearer <API key>.';
  if (bearerKey(authorization) === undefined) return 'The header Authorization must have the form: Bearer <API key>.';
  return 'The API key is not valid: it is unknown or was revoked.';
}
