import { DomainError } from '@tire/kernel';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_API } from './door';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';
import { readSite, type StaticFile } from './static';

const YEAR_SECONDS = 31_536_000;

/** Scripts and styles of its own only; photographs from the object store, to which the browser also sends them. */
const policy = (objectsOrigin: string | null): string => {
  const objects = objectsOrigin ? ` ${objectsOrigin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${objects}`,
    `connect-src 'self'${objects}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/** The web console: static files, and its first page for every address that it makes itself. */
@Controller()
export class SiteController {
  private readonly site: ReadonlyMap<string, StaticFile>;
  private readonly headers: Record<string, string>;

  constructor(@Inject(CONSOLE_SETTINGS) settings: ConsoleSettings) {
    this.site = settings.root === null ? new Map() : readSite(settings.root);
    this.headers = {
      'content-security-policy': policy(settings.objectsOrigin),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
      ...(settings.cookie.secure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
    };
  }

  @Get(['console', 'console/*'])
  serve(@Req() request: FastifyRequest<{ Params: { '*'?: string } }>, @Res() reply: FastifyReply): FastifyReply {
    const path = request.params['*'] ?? '';
    // What is no address of the API must not look like an answer of it.
    const isApi = `/console/${path}/`.startsWith(`${CONSOLE_API}/`);
    const file = isApi ? undefined : (this.site.get(path) ?? (/\.\w+$/.test(path) ? undefined : this.site.get('index.html')));
    if (!file) throw new DomainError('not_found');
    reply.headers({ ...this.headers, etag: file.etag, vary: 'accept-encoding' });
    reply.header('cache-control', file.immutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    const compressed = file.brotli !== null && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
    return compressed ? reply.type(file.type).header('content-encoding', 'br').send(file.brotli) : reply.type(file.type).send(file.bytes);
  }
}
