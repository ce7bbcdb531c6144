import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SlotId } from '../types.ts';

export const KEY = 'svc_test_0123456789abcdef';
export const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 1, 2]);
export const ALL_SLOTS = ['tread', 'sidewall'].flatMap((type) =>
  ['front_left', 'front_right', 'rear_left', 'rear_right'].map((position) => `tire.${type}.${position}` as SlotId),
);

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Instead of the answer of the service. `lost`: the request is carried out and the connection ends without an answer. */
export type Trouble = Reply | 'lost';

export const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { error: { type: 'api_error', code, message: `It is ${code}.`, param: null, retryable: false, ...more } },
});

const target = (origin: string, id: string, slot: SlotId) => {
  const [, image_type, position] = slot.split('.');
  const asset_id = randomUUID();
  return {
    asset_id,
    module_type: 'tire',
    slot: { position, image_type },
    upload_url: `${origin}/storage/${id}/${slot}/${asset_id}?signature=secret-signature`,
    required_headers: { 'Cache-Control': 'max-age=60' },
    expires_at: '2126-01-01T00:00:00.000Z',
  };
};

/** What the service does with a creation, its uploads and their registration, over a real socket and in memory. */
export class SmallService {
  readonly requests: Request[] = [];
  readonly reports = new Map<string, { answer: unknown; slots: Map<SlotId, string>; analyses: number }>();
  readonly uploaded = new Map<string, Buffer>();
  /** By `METHOD /path` of a request without its query; each trouble is used once. */
  readonly troubles = new Map<RegExp, Trouble[]>();
  readonly replies = new Map<string, Reply[]>();
  /** Of reports that have no prepared answer. */
  answerReads: ((id: string) => Reply) | null = null;
  /** So many uploads wait for each other before one of them is answered. */
  uploadsMeet = 1;
  uploadsAtOnceMax = 0;
  answerAfterMs = 0;
  private uploadsAtOnce = 0;
  private readonly arrivedUploads: (() => void)[] = [];
  private readonly answers = new Map<string, { digest: string; reply: Reply }>();
  private readonly server = createServer((request, response) => void this.handle(request, response));

  static async start(): Promise<SmallService> {
    const service = new SmallService();
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/api/v1`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Requests of `METHOD /path`. */
  sent(what: RegExp): Request[] {
    return this.requests.filter(({ method, path }) => what.test(`${method} ${path}`));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path, query = ''] = (request.url ?? '').replace('/api/v1', '').split('?');
    const one = { method: request.method!, path: path!, headers: request.headers, body: Buffer.concat(chunks) };
    this.requests.push({ ...one, path: query ? `${path}?${query}` : path! });
    const what = `${one.method} ${path}`;
    const trouble = [...this.troubles].find(([pattern, left]) => pattern.test(what) && left.length > 0)?.[1].shift();
    if (this.answerAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, this.answerAfterMs));
    const reply = trouble && trouble !== 'lost' ? trouble : await this.reply(one, what);
    if (trouble === 'lost') return void request.socket.destroy();
    const { status, body, headers } = reply;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': `request-${this.requests.length}`, ...headers })
      .end(text);
  }

  private async reply(request: Request, what: string): Promise<Reply> {
    const [, , id, slot] = request.path.split('/') as [string, string, string, SlotId];
    if (what.startsWith('PUT ')) return this.upload(request);
    if (request.headers.authorization !== `Bearer ${KEY}`) return refusal(401, 'unauthorized');
    const prepared = this.replies.get(what);
    if (prepared) return prepared.length > 1 ? prepared.shift()! : prepared[0]!;
    if (this.answerReads && /^GET \/reports\/[^/]+$/.test(what)) return this.answerReads(id);
    if (what === 'POST /reports') return this.create(request);
    if (/^POST .*\/images$/.test(what)) return this.register(id, request);
    if (/^POST .*\/upload-targets$/.test(what)) return this.targets(id, request);
    return refusal(404, 'not_found', { param: slot ?? null });
  }

  private create({ headers, body }: Request): Reply {
    const key = headers['idempotency-key'] as string | undefined;
    const digest = createHash('sha256').update(body).digest('hex');
    const earlier = key === undefined ? undefined : this.answers.get(key);
    if (earlier) return earlier.digest === digest ? earlier.reply : refusal(409, 'idempotency_conflict');
    const { template } = JSON.parse(body.toString()) as { template?: string };
    const id = randomUUID();
    const slots = ALL_SLOTS.filter((slot) => template !== 'tire_4t_0s' || slot.includes('tread'));
    const upload_targets = slots.map((slot) => target(this.origin, id, slot));
    const answer = { report_id: id, status: 'awaiting_images', share_url: 'https://share.example/r/token', upload_targets };
    this.reports.set(id, { answer, slots: new Map(), analyses: 0 });
    const reply = { status: 201, body: answer };
    if (key !== undefined) this.answers.set(key, { digest, reply });
    return reply;
  }

  private async upload({ path, headers, body }: Request): Promise<Reply> {
    this.uploadsAtOnceMax = Math.max(this.uploadsAtOnceMax, (this.uploadsAtOnce += 1));
    await new Promise<void>((resolve) => {
      if (this.arrivedUploads.push(resolve) === this.uploadsMeet) this.arrivedUploads.splice(0).forEach((meet) => meet());
    });
    // One more than may be sent at the same time would arrive meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.uploadsAtOnce -= 1;
    if (headers['cache-control'] !== 'max-age=60' || headers.authorization) return { status: 400 };
    this.uploaded.set(path.split('/')[4]!, body);
    return { status: 200 };
  }

  private register(id: string, { body }: Request): Reply {
    const { images } = JSON.parse(body.toString()) as { images: { asset_id: string; slot: { position: string; image_type: string } }[] };
    const report = this.reports.get(id)!;
    if (!images.every(({ asset_id }) => this.uploaded.has(asset_id))) return refusal(422, 'validation_error', { param: 'asset_id' });
    const answered = images.map(({ asset_id, slot }) => {
      const slot_id = `tire.${slot.image_type}.${slot.position}` as SlotId;
      const status = report.slots.get(slot_id) === asset_id ? 'unchanged' : 'accepted';
      if (status === 'accepted') report.analyses += 1;
      report.slots.set(slot_id, asset_id);
      return { slot_id, asset_id, status };
    });
    return { status: 202, body: { report_id: id, analysis_status: 'processing', images: answered } };
  }

  private targets(id: string, { body }: Request): Reply {
    const { slots } = JSON.parse(body.toString()) as { slots: { slot: { position: string; image_type: string } }[] };
    const upload_targets = slots.map(({ slot }) => target(this.origin, id, `tire.${slot.image_type}.${slot.position}` as SlotId));
    return { status: 201, body: { report_id: id, upload_targets } };
  }
}
