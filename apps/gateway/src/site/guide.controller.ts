import { PUBLIC_API_URL } from '@tire/platform';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSite, sendFile, type StaticFile } from './static';

/** Folder of the built guide; null: the gateway serves only the references. */
export const GUIDE_ROOT = Symbol('GuideRoot');

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** The partner's guide: static pages without extension, `/docs/en/quick-start`. Their commands name the address of this installation. */
@Controller()
export class GuideController {
  private readonly site: ReadonlyMap<string, StaticFile>;

  constructor(@Inject(GUIDE_ROOT) root: string | null, @Inject(PUBLIC_API_URL) url: string) {
    this.site = root === null ? new Map() : readSite(root, (html) => html.replaceAll('{{PUBLIC_API_URL}}', url));
  }

  @Get(['docs', 'docs/*'])
  serve(@Req() request: FastifyRequest<{ Params: { '*'?: string } }>, @Res() reply: FastifyReply): FastifyReply {
    if (this.site.size === 0) return reply.redirect('/docs/reference', 302);
    const path = (request.params['*'] ?? '').replace(/\/$/, '');
    const page = path === '' ? 'index' : path;
    const file = this.site.get(page) ?? this.site.get(`${page}.html`);
    if (file) return sendFile(request, reply, file, HEADERS);
    const { type, bytes } = this.site.get('404.html')!;
    return reply
      .code(404)
      .headers({ ...HEADERS, 'cache-control': 'no-cache' })
      .type(type)
      .send(bytes);
  }
}
