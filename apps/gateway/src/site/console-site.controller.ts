import { DomainError } from '@tire/kernel';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PREFIX } from '../edge/api-prefix';
import { refuseOtherMethod } from '../edge/known-paths';
import { kakaoFrame } from './kakao-frame';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './console-settings';
import { readSite, sendFile, type StaticFile } from './static';

const YEAR_SECONDS = 31_536_000;

/** Only its own scripts and styles. Images come from the object store, and browsers upload them there. */
const policy = (objectsOrigin: string | null): string => {
  const objects = objectsOrigin ? ` ${objectsOrigin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${objects}`,
    `connect-src 'self'${objects}`,
    // The frame of Kakao's button. All other pages of this origin refuse to be framed.
    "frame-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/** The web console: static files, and the first page for every path that the console routes itself. */
@Controller()
export class ConsoleSiteController {
  private readonly site: ReadonlyMap<string, StaticFile>;
  private readonly headers: Record<string, string>;
  private readonly kakao: ReturnType<typeof kakaoFrame>;

  constructor(@Inject(CONSOLE_SETTINGS) settings: ConsoleSettings) {
    this.kakao = kakaoFrame(settings.kakaoSdk);
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

  /** Where the console is served. */
  @Get('console/kakao-frame')
  kakaoFrame(@Res() reply: FastifyReply): FastifyReply {
    if (this.site.size === 0) throw new DomainError('not_found');
    const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' };
    return reply
      .headers({ ...headers, 'content-security-policy': this.kakao.policy })
      .type('text/html; charset=utf-8')
      .send(this.kakao.html);
  }

  @Get(['console', 'console/*'])
  serve(@Req() request: FastifyRequest<{ Params: { '*'?: string } }>, @Res() reply: FastifyReply): FastifyReply {
    const path = request.params['*'] ?? '';
    // An unknown path below the API is an error and not the first page.
    const isApi = `/console/${path}/`.startsWith(`${CONSOLE_PREFIX}/`);
    const file = isApi ? undefined : (this.site.get(path) ?? (/\.\w+$/.test(path) ? undefined : this.site.get('index.html')));
    if (isApi) refuseOtherMethod(request, reply);
    if (!file) throw new DomainError('not_found');
    return sendFile(request, reply, file, this.headers);
  }
}
