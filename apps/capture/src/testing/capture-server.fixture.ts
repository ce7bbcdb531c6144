import type { CaptureSession } from '@tire/contracts/capture';
import { ALL_SLOTS, slotId, type SlotId } from '@tire/kernel';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { answerError, bodyOf, json } from './http.fixture';
import { ReportOfLink, type SlotResult } from './report-of-link.fixture';

/** The built page, served as the gateway serves it, before a small model of the service: the interface of the link and the object store. */
const SITE = join(__dirname, '../../../../dist/apps/capture/site');
const tokenOf = (number: number): string => `${number}${'aB3-_'.repeat(9)}`.slice(0, 43);
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** What befalls a request: cut before it is done, cut after it was done and before its answer, or another status. */
export type Trouble = 'cut' | 'lost_answer' | number | undefined;
export type Kind = 'session' | 'upload-targets' | 'images' | 'finish' | 'put';

export interface ServerSettings {
  readonly session?: Partial<CaptureSession>;
  readonly resultOf?: (id: SlotId, attempt: number) => SlotResult;
  readonly embedOrigins?: string;
}

export class CaptureServer {
  trouble: (kind: Kind, request: IncomingMessage) => Trouble = () => undefined;
  /** Bytes after which each PUT of an upload is cut; undefined: none. */
  cutPutAfterBytes: number | undefined;
  /** Nothing answers: not the page, its files, or the interface. */
  isAway = false;
  /** A later build of the page, with the same files. */
  isNewBuild = false;
  /** Requests that are being answered. */
  private busy = 0;
  private links = 1;
  readonly referrers: string[] = [];
  /** Files of the page that were asked for, in this order. */
  readonly files: string[] = [];
  readonly requests: { readonly kind: Kind; readonly at: number }[] = [];
  private constructor(
    readonly report: ReportOfLink,
    private readonly page: Server,
    private readonly objects: Server,
    private readonly embedOrigins: string | undefined,
  ) {}

  static async start({ session, resultOf, embedOrigins }: ServerSettings = {}): Promise<CaptureServer> {
    if (!existsSync(join(SITE, 'index.html'))) throw new Error('The page is not built: node deploy/build.mjs apps/capture');
    const [page, objects] = [createServer(), createServer()];
    for (const server of [page, objects]) await once(server.listen(0, '127.0.0.1'), 'listening');
    const report = new ReportOfLink(originOf(objects), session, resultOf);
    const server = new CaptureServer(report, page, objects, embedOrigins);
    page.on('request', (request, response) => void server.servePage(request, response));
    objects.on('request', (request, response) => void server.serveObjects(request, response));
    for (const each of [page, objects])
      each.on('request', (_, response) => {
        server.busy++;
        response.once('close', () => server.busy--);
      });
    return server;
  }

  get origin(): string {
    return originOf(this.page);
  }
  get isIdle(): boolean {
    return this.busy === 0;
  }
  get link(): string {
    return `${this.origin}/c/${tokenOf(this.links)}`;
  }

  /** Another link of the same report: the former one opens nothing any more. */
  issueLink(): string {
    this.links++;
    return this.link;
  }

  async stop(): Promise<void> {
    for (const server of [this.page, this.objects]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  private async servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isAway) return void request.socket.destroy();
    const { pathname } = new URL(request.url!, this.origin);
    const task = /^\/capture\/api\/(session|upload-targets|images|finish)$/.exec(pathname)?.[1] as Exclude<Kind, 'put'> | undefined;
    if (request.headers.referer) this.referrers.push(request.headers.referer);
    if (!task) return this.serveFile(pathname, response);
    await this.troubled(task, request, response, async () => {
      const body = await bodyOf(request);
      if (request.headers.authorization !== `Bearer ${tokenOf(this.links)}`) return answerError(404, 'not_found');
      return this.report.answer(task, body.length > 0 ? JSON.parse(body.toString()) : undefined);
    });
  }

  private serveFile(pathname: string, response: ServerResponse): void {
    const isShell = pathname.startsWith('/c/') || pathname === '/capture/shell';
    const name = isShell ? 'index.html' : pathname.replace(/^\/capture\//, '');
    const file = join(SITE, name);
    if (!existsSync(file) || pathname === '/') return void response.writeHead(404).end();
    const objects = originOf(this.objects);
    const bytes = this.isNewBuild ? newBuildOf(name, readFileSync(file)) : readFileSync(file);
    const scripts = name.startsWith('assets/') ? `'self' 'wasm-unsafe-eval'` : `'self'`;
    this.files.push(name);
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'referrer-policy': 'no-referrer',
      ...(name === 'worker.js' ? { 'service-worker-allowed': '/c/' } : {}),
      'content-security-policy':
        `default-src 'none'; script-src ${scripts}; worker-src 'self'; style-src 'self'; img-src 'self' data: blob: ${objects}; connect-src 'self' ${objects}; ` +
        `base-uri 'none'; form-action 'none'`,
    });
    response.end(pathname.startsWith('/c/') && this.embedOrigins ? withOrigins(bytes.toString(), this.embedOrigins) : bytes);
  }

  private async serveObjects(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', this.origin);
    response.setHeader('access-control-allow-headers', 'content-type, cache-control');
    response.setHeader('access-control-allow-methods', 'PUT');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const cutAfter = this.cutPutAfterBytes;
    if (cutAfter !== undefined) {
      let received = 0;
      request.on('data', (chunk: Buffer) => (received += chunk.length) > cutAfter && request.destroy());
    }
    await this.troubled('put', request, response, async () => this.report.store(request.url!, await bodyOf(request), request.headers));
  }

  private async troubled(
    kind: Kind,
    request: IncomingMessage,
    response: ServerResponse,
    work: () => Promise<{ status: number; body: unknown }>,
  ): Promise<void> {
    this.requests.push({ kind, at: Date.now() });
    const trouble = this.trouble(kind, request);
    if (trouble === 'cut') return void request.socket.destroy();
    if (typeof trouble === 'number') return json(response, answerError(trouble, trouble === 429 ? 'rate_limited' : 'internal_error'));
    try {
      const answer = await work();
      if (trouble === 'lost_answer') return void request.socket.destroy();
      json(response, answer);
    } catch {
      // The client is gone.
      request.socket.destroy();
    }
  }
}

const newBuildOf = (name: string, bytes: Buffer): Buffer =>
  name === 'worker.js'
    ? Buffer.from(bytes.toString().replace(/"[\da-f]{16}"/, '"0123456789abcdef"'))
    : Buffer.from(bytes.toString().replace('<head>', '<head><meta name="build" content="new">'));

/** As the gateway does it, which looks for these words. */
const withOrigins = (html: string, origins: string): string =>
  html.replace('name="capture-embed-origins" content=""', `name="capture-embed-origins" content="${origins}"`);

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export const allSlotIds = (): SlotId[] => ALL_SLOTS.map((slot) => slotId(slot));
