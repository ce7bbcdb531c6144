import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectFacts, ObjectHeaders } from './object-store';

/**
 * An object is one file: the length of a head, the head (JSON with the headers as sent), the bytes. One rename makes bytes and headers
 * visible together. With two files, concurrent PUTs could mix the bytes of one with the headers of the other.
 */
const LENGTH_BYTES = 4;
const HEAD_MAX_BYTES = 64 * 1024;

export class ObjectTooLarge extends Error {}

function head({ contentType, cacheControl }: ObjectHeaders): Buffer {
  const json = Buffer.from(JSON.stringify({ contentType, cacheControl }), 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** The head, then the bytes, up to the limit. */
async function* contents(bytes: Readable | Buffer, headers: ObjectHeaders, maxBytes: number): AsyncIterable<Buffer> {
  yield head(headers);
  let seenBytes = 0;
  for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : (bytes as AsyncIterable<Buffer>)) {
    seenBytes += chunk.length;
    if (seenBytes > maxBytes) throw new ObjectTooLarge();
    yield chunk;
  }
}

/** Flushes the bytes to the disk: after a power cut the rename must not exist without them. */
export async function writeObjectFile(path: string, bytes: Readable | Buffer, headers: ObjectHeaders, maxBytes: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, contents(bytes, headers, maxBytes));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Flushes a folder and its parents up to the one where a folder was created. Otherwise a file that was renamed into it could be missing
 * after a power cut.
 */
export async function flushFolders(from: string, upTo: string): Promise<void> {
  for (let path = from; path.length >= upTo.length; path = dirname(path)) {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  }
}

export interface ObjectFile extends ObjectFacts {
  readonly modifiedAt: Date;
  readonly offsetBytes: number;
  readonly file: FileHandle;
}

/** An open file keeps its bytes when another one is renamed over it. The caller closes it. */
export async function openObjectFile(path: string): Promise<ObjectFile | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { size, mtime } = await file.stat();
    const length = (await file.read(Buffer.alloc(LENGTH_BYTES), 0, LENGTH_BYTES, 0)).buffer.readUInt32BE();
    if (length > HEAD_MAX_BYTES) throw new Error(`${path} is not an object of this store`);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, LENGTH_BYTES);
    const { contentType, cacheControl } = JSON.parse(buffer.toString('utf8')) as Partial<ObjectHeaders>;
    const offsetBytes = LENGTH_BYTES + length;
    return { contentType, cacheControl, sizeBytes: size - offsetBytes, modifiedAt: mtime, offsetBytes, file };
  } catch (error) {
    await file.close();
    throw error;
  }
}
