import { consoleOpenapiJson, openapiJson } from '@tire/contracts/openapi';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_PREFIX, CONSOLE_PREFIX } from '../edge/api-prefix';
import { HttpResponse, send } from '../edge/response';
import { fileOf, sendFile } from './static';

const BUNDLE = 'redoc.standalone.js';
/** In a build, and in the source tree. */
const PLACES = [join(__dirname, '../../assets'), join(__dirname, '../../../../node_modules/redoc/bundles')];

/** The only file that the bundle would load from elsewhere. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

const HTML = 'text/html; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

const pageOf = (title: string, document: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tire inspection reports: ${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<nav aria-label="Documentation"><a href="/docs">Guide</a></nav>
<div id="reference" data-document="${document}"></div>
<noscript>This page needs JavaScript. The OpenAPI document is at <a href="${document}">${document}</a>.</noscript>
<script src="/docs/${BUNDLE}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Links name an operation only: /docs/reference#createReport. */
const START = `(async () => {
  document.body.style.margin = '0';
  const element = document.getElementById('reference');
  const reference = await (await fetch(element.dataset.document)).json();
  const operations = Object.values(reference.paths).flatMap((methods) => Object.values(methods));
  const linked = operations.find(({ operationId }) => location.hash === '#' + operationId);
  if (linked) history.replaceState(null, '', '#tag/' + linked.tags[0] + '/operation/' + linked.operationId);
  const options = { disableSearch: true, hideDownloadButton: false, sideNavStyle: 'summary-only', nativeScrollbars: true, theme: { typography: { fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' }, code: { fontFamily: 'ui-monospace, monospace' } } } };
  Redoc.init(reference, options, element);
})();
`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

function bundle(): string {
  const place = PLACES.find((folder) => existsSync(join(folder, BUNDLE)));
  if (!place) throw new Error(`${BUNDLE} is missing: build the gateway, or install its packages`);
  return readFileSync(join(place, BUNDLE), 'utf8').replaceAll(REMOTE_LOGO, 'data:,');
}

/** The OpenAPI documents, and references that Redoc renders in the browser. Nothing is loaded from another host. */
@Controller()
export class DocumentationController {
  /** The committed documents: specs of the contracts compare them. */
  private readonly document = new HttpResponse(Buffer.from(openapiJson()));
  private readonly consoleDocument = new HttpResponse(Buffer.from(consoleOpenapiJson()));
  private readonly page = fileOf(HTML, pageOf('API reference', `${API_PREFIX}/openapi.json`));
  private readonly consolePage = fileOf(HTML, pageOf('console API reference', `${CONSOLE_PREFIX}/openapi.json`));
  private readonly start = fileOf(JAVASCRIPT, START);
  private readonly renderer = fileOf(JAVASCRIPT, bundle());

  @Get(`${API_PREFIX}/openapi.json`)
  @RouteConfig({ scope: 'everyone' })
  openapi(@Res() reply: FastifyReply): FastifyReply {
    return send(reply, this.document, 200);
  }

  @Get(`${CONSOLE_PREFIX}/openapi.json`)
  @RouteConfig({ access: 'everyone' })
  consoleOpenapi(@Res() reply: FastifyReply): FastifyReply {
    return send(reply, this.consoleDocument, 200);
  }

  @Get('docs/reference')
  reference(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return sendFile(request, reply, this.page, HEADERS);
  }

  @Get('docs/console-reference')
  consoleReference(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return sendFile(request, reply, this.consolePage, HEADERS);
  }

  @Get('docs/start.js')
  startScript(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return sendFile(request, reply, this.start, HEADERS);
  }

  @Get(`docs/${BUNDLE}`)
  rendererScript(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return sendFile(request, reply, this.renderer, HEADERS);
  }
}
