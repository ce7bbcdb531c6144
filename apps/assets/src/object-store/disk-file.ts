import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectFacts, ObjectHeaders } from './object-store';

/**
 * An object is one file: the length of a head, the head (JSON with the headers as sent), the bytes. One file, because one rename
 * then makes bytes and headers visible together; with two files, PUTs at the same time could leave one's bytes with the other's headers.
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

/** The head, then the bytes as they come, and no more of them than allowed. */
async function* written(bytes: Readable | Buffer, headers: ObjectHeaders, maxBytes: number): AsyncIterable<Buffer> {
  yield head(headers);
  let seenBytes = 0;
  for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : (bytes as AsyncIterable<Buffer>)) {
    seenBytes += chunk.length;
    if (seenBytes > maxBytes) throw new ObjectTooLarge();
    yield chunk;
  }
}

/** Flushed to the disk before it resolves: the rename that follows must not outlive the bytes in a power cut. */
export async function writeObjectFile(path: string, bytes: Readable | Buffer, headers: ObjectHeaders, maxBytes: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, written(bytes, headers, maxBytes));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Flushes what a folder lists, and those above it up to the one where something new was made: a file that was renamed into it is
 * otherwise in nobody's list after a power cut, whole as it is.
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

/** An open file stays what it was when another one is renamed over it. The caller closes it. */
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
