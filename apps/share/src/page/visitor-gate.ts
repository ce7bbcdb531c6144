import { networkOf, Places, readTrustedProxies, senderOf, type Holder } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config';
import { CONFIG } from '../tokens';
import { closedPage } from './document/closed-page';
import { askedBy } from './words/language';

/** Visitors whose pages and PDFs are made at the same time. One address gets at most half of them. */
export const VISITORS_MAX = 256;

declare module 'fastify' {
  interface FastifyRequest {
    visitor: readonly Holder[] | null;
  }
}

/** Visitors have no key: what one of them can take is limited by the address. */
@Injectable()
export class VisitorGate implements OnModuleInit {
  private readonly places = new Places(VISITORS_MAX);

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TRUSTED_PROXIES'>,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const proxies = readTrustedProxies(this.config.TRUSTED_PROXIES)!;
    fastify.decorateRequest('visitor', null);
    fastify.addHook('onRequest', (request, reply, done) => {
      // The check uses the matched route, because a path can be written in many ways.
      if (!request.routeOptions.url?.startsWith('/r/')) return done();
      const { address } = senderOf(request.socket.remoteAddress, request.headers['x-forwarded-for'], proxies);
      const visitor = [{ name: networkOf(address), share: 1 }];
      if (this.places.take(visitor)) {
        request.visitor = visitor;
        return done();
      }
      const { status, headers, html } = closedPage('unavailable', askedBy(request).preferred);
      void reply.code(status).headers(headers).send(html);
    });
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      if (request.visitor) this.places.leave(request.visitor);
      request.visitor = null;
      done(null, payload);
    });
  }
}
