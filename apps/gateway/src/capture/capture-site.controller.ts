import { DomainError } from '@tire/kernel';
import { logger } from '@tire/platform';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { readSite, sendFile, type StaticFile } from '../site/static';
import { CAPTURE_ROOT } from '../tokens';
import { CaptureGate } from './capture.gate';
import { CaptureService } from './capture.service';

/** The place in the page where the origins stand that may embed it. */
const ORIGINS = 'name="capture-embed-origins" content=""';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

/** The worker of the camera's hints compiles WebAssembly. It has the policy of its file; the page does not need it. */
const FOR_WORKER = " 'wasm-unsafe-eval'";

const policy = (objectsOrigin: string | null, embedOrigins: readonly string[], scripts = ''): string => {
  const objects = objectsOrigin ? ` ${objectsOrigin}` : '';
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    "style-src 'self'",
    `img-src 'self' data: blob:${objects}`,
    "media-src 'self' blob:",
    "worker-src 'self'",
    `connect-src 'self'${objects}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${embedOrigins.length > 0 ? embedOrigins.join(' ') : "'none'"}`,
  ].join('; ');
};

/** The page that opens with a capture link. The token is in the path, of which no log of ours and no other site learns. */
@Controller()
export class CaptureSiteController {
  private readonly log = logger('capture');
  private readonly site: ReadonlyMap<string, StaticFile>;

  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CAPTURE_ROOT) root: string | null,
    private readonly gate: CaptureGate,
    private readonly captures: CaptureService,
  ) {
    this.site = root === null ? new Map() : readSite(root);
    const page = this.site.get('index.html');
    if (page && !String(page.bytes).includes(ORIGINS)) throw new Error(`The capture page has no ${ORIGINS}`);
  }

  @Get('c/:token')
  async page(@Req() request: FastifyRequest<{ Params: { token: string } }>, @Res() reply: FastifyReply): Promise<FastifyReply> {
    const file = this.site.get('index.html');
    if (!file) throw new DomainError('not_found');
    const origins = await this.originsOf(request);
    const headers = { ...HEADERS, 'content-security-policy': policy(this.settings.objectsOrigin, origins), 'cache-control': 'no-store' };
    const page = String(file.bytes).replace(ORIGINS, () => ORIGINS.replace('""', () => `"${origins.join(' ')}"`));
    return reply.headers(headers).type(file.type).send(page);
  }

  /** The page without anything of a link or a project. Its service worker shows it where the network does not answer. */
  @Get('capture/shell')
  shell(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.file('index.html', request, reply);
  }

  /** It may answer for capture pages, and for nothing else of this origin. */
  @Get('capture/worker.js')
  worker(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.file('worker.js', request, reply, FOR_WORKER, { 'service-worker-allowed': '/c/' });
  }

  @Get('capture/assets/*')
  asset(@Req() request: FastifyRequest<{ Params: { '*': string } }>, @Res() reply: FastifyReply): FastifyReply {
    return this.file(`assets/${request.params['*']}`, request, reply, FOR_WORKER);
  }

  private file(name: string, request: FastifyRequest, reply: FastifyReply, scripts = '', more: Record<string, string> = {}): FastifyReply {
    const file = this.site.get(name);
    if (!file) throw new DomainError('not_found');
    return sendFile(request, reply, file, {
      ...HEADERS,
      ...more,
      'content-security-policy': policy(this.settings.objectsOrigin, [], scripts),
    });
  }

  /** The page itself shows nothing of a report, so it is sent for every token. It tells what is wrong, also while the ledger is away. */
  private async originsOf(request: FastifyRequest<{ Params: { token: string } }>): Promise<readonly string[]> {
    try {
      const caller = await this.gate.find(request, request.params.token);
      return caller ? await this.captures.embedOrigins(caller.projectId) : [];
    } catch (error) {
      if (error instanceof DomainError && error.code === 'rate_limited') throw error;
      this.log.warn({ err: error }, 'A capture page is sent without the origins that may embed it');
      return [];
    }
  }
}
