import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error';

/** A truncated file is useless. For an answer whose status matters, the beginning is enough. */
export type BeyondMaxBytes = 'refuse' | 'cut';

const FIRST_BYTES = 64 * 1024;

const tooLarge = () => new OutboundError('too_large', 'The answer is too large');

/** One growing buffer instead of a list of chunks: an image is never in memory twice, however many chunks arrive. */
class Received {
  private bytes: Buffer;
  private sizeBytes = 0;

  constructor(
    expectedBytes: number,
    private readonly maxBytes: number,
  ) {
    this.bytes = Buffer.allocUnsafe(Math.min(expectedBytes || FIRST_BYTES, maxBytes));
  }

  /** Takes as many bytes as fit. */
  add(chunk: Buffer): void {
    const fittingBytes = Math.min(chunk.length, this.maxBytes - this.sizeBytes);
    const neededBytes = this.sizeBytes + fittingBytes;
    if (neededBytes > this.bytes.length) this.grow(neededBytes);
    chunk.copy(this.bytes, this.sizeBytes, 0, fittingBytes);
    this.sizeBytes = neededBytes;
  }

  get isFull(): boolean {
    return this.sizeBytes === this.maxBytes;
  }

  all(): Buffer {
    return this.bytes.subarray(0, this.sizeBytes);
  }

  private grow(neededBytes: number): void {
    const bytes = Buffer.allocUnsafe(Math.min(Math.max(neededBytes, this.bytes.length * 2), this.maxBytes));
    this.bytes.copy(bytes, 0, 0, this.sizeBytes);
    this.bytes = bytes;
  }
}

const announcedBytes = (response: IncomingMessage): number => Number(response.headers['content-length'] ?? 0);

type Fault = { readonly error: unknown };

/** Limits the bytes received and unpacked. Distinguishes its own failure from a failure of the consumer of the body. */
async function* bodyChunks(response: IncomingMessage, maxBytes: number, failed?: (fault: Fault) => void): AsyncGenerator<Buffer> {
  try {
    if (announcedBytes(response) > maxBytes) throw tooLarge();
    let seenBytes = 0;
    for await (const chunk of decoded(response, maxBytes) as AsyncIterable<Buffer>) {
      seenBytes += chunk.length;
      if (seenBytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    failed?.({ error });
    throw error;
  }
}

export async function readBody(response: IncomingMessage, maxBytes: number, beyondMaxBytes: BeyondMaxBytes): Promise<Buffer> {
  const received = new Received(announcedBytes(response), maxBytes);
  if (beyondMaxBytes === 'cut') return readBeginning(response, received);
  for await (const chunk of bodyChunks(response, maxBytes)) received.add(chunk);
  return received.all();
}

/** Consumes a body while it arrives. The length is that of the Content-Length header, or 0 without one. */
export type BodyTaker = (body: AsyncIterable<Buffer>, announcedBytes: number) => Promise<void>;

/** The consumer of the body failed, not the host. */
export class TakerFailed extends Error {}

export async function handBody(response: IncomingMessage, maxBytes: number, take: BodyTaker): Promise<void> {
  let faultOfBody: Fault | undefined;
  const body = bodyChunks(response, maxBytes, (fault) => (faultOfBody = fault));
  try {
    await take(body, announcedBytes(response));
  } catch (cause) {
    throw faultOfBody ? faultOfBody.error : new TakerFailed('The body could not be taken', { cause });
  }
}

/** The bytes from the wire. The request accepts no compression, and a compressed answer is no error. */
async function readBeginning(response: IncomingMessage, received: Received): Promise<Buffer> {
  for await (const chunk of response) {
    received.add(chunk as Buffer);
    if (received.isFull) break;
  }
  return received.all();
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(response: IncomingMessage, maxBytes: number): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(DECODERS, encoding)) return response;
  const decoder = DECODERS[encoding]!();
  let packedBytes = 0;
  response.on('data', (chunk: Buffer) => {
    packedBytes += chunk.length;
    if (packedBytes > maxBytes) response.destroy(tooLarge());
  });
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}
