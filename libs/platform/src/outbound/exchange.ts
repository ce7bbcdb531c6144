import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error';
import type { Target } from './target';

export interface ExchangeOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly maxBytes: number;
  readonly beyondMaxBytes?: BeyondMaxBytes;
  readonly ca?: readonly string[];
  readonly signal: AbortSignal;
}

/** A file that is cut is of no use; of an answer that only its status matters of, the beginning is enough. */
export type BeyondMaxBytes = 'refuse' | 'cut';

export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const HEADER_BYTES_MAX = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** The connection gets the addresses that were judged; the name is not asked for again. */
const pinned =
  ({ addresses }: Target): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  };

function requestOptions(target: Target, options: ExchangeOptions): RequestOptions {
  const { url } = target;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    protocol: url.protocol,
    host,
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    method: options.method,
    headers: { 'accept-encoding': 'identity', ...options.headers, host: url.host },
    // A connection of its own: none is kept that was judged for another request, and no proxy of the environment steps in.
    agent: false,
    lookup: pinned(target),
    servername: isIP(host) ? undefined : host,
    minVersion: 'TLSv1.2',
    maxHeaderSize: HEADER_BYTES_MAX,
    signal: options.signal,
    ...(options.ca ? { ca: [...options.ca] } : {}),
  };
}

const tooLarge = () => new OutboundError('too_large', 'The answer is too large');

/** Limits what is received and what it unpacks to. */
async function readBody(response: IncomingMessage, { maxBytes, beyondMaxBytes = 'refuse' }: ExchangeOptions): Promise<Buffer> {
  if (beyondMaxBytes === 'cut') return readBeginning(response, maxBytes);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) response.destroy(tooLarge());
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(response)) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, size);
}

/** As it came over the wire: nothing was asked for in a packed form, and what is packed all the same is not worth a fault. */
async function readBeginning(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks, size).subarray(0, maxBytes);
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(DECODERS, encoding)) return response;
  const decoder = DECODERS[encoding]!();
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

/** One request and its answer, without following anything. */
export async function exchange(target: Target, options: ExchangeOptions): Promise<Exchange> {
  const send = target.url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(requestOptions(target, options));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    request.once('socket', (socket) =>
      socket.once('connect', () => {
        // It has none any more where the other side hung up at once.
        const { remoteAddress } = socket;
        if (remoteAddress === undefined) request.destroy(new OutboundError('unreachable', 'The connection was closed'));
        else if (!target.accepts(remoteAddress)) request.destroy(new OutboundError('forbidden', 'The address is not public'));
      }),
    );
  });
  try {
    request.end(options.body);
    const response = await answered;
    const status = response.statusCode ?? 0;
    const body = isRedirect(status) && response.headers.location ? Buffer.alloc(0) : await readBody(response, options);
    return { status, headers: response.headers, body };
  } finally {
    request.destroy();
  }
}
