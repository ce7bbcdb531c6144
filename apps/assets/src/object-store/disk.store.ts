import type { Clock } from '@tire/kernel';
import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isObjectKey } from '../domain/object-key';
import { flushFolders, openObjectFile, writeObjectFile, type ObjectFile } from './disk-file';
import { isValidAddress, signParts, type SignedMethod } from './disk-signature';
import type { ObjectFacts, ObjectHeaders, ObjectStore, OpenObject, PeekedObject } from './object-store';

/** No segment of a key can end with it, so the file of a key and the folder of longer keys have different names. */
const SUFFIX = '~object';
/** A write takes minutes at most. An older file is from a process that was killed. */
const ABANDONED_AFTER_MS = 3_600_000;

export interface DiskStoreOptions {
  readonly root: string;
  readonly publicUrl: string;
  readonly secret: string;
  /** The limit for one object. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

const absentIsFine = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
};

/** Stores objects as files in a folder. The service itself serves their addresses. */
export class DiskStore implements ObjectStore {
  private readonly objects: string;
  private readonly unfinished: string;

  constructor(private readonly options: DiskStoreOptions) {
    this.objects = join(resolve(options.root), 'objects');
    this.unfinished = join(resolve(options.root), 'unfinished');
  }

  signPut(key: string, lifetimeSeconds: number): Promise<string> {
    return this.sign('PUT', key, lifetimeSeconds);
  }

  signGet(key: string, lifetimeSeconds: number): Promise<string> {
    return this.sign('GET', key, lifetimeSeconds);
  }

  isValidAddress(claim: Parameters<typeof isValidAddress>[1]): boolean {
    return isObjectKey(claim.key) && isValidAddress(this.options.secret, claim, this.options.clock.now());
  }

  async stat(key: string): Promise<ObjectFacts | undefined> {
    const object = await this.openFile(key);
    await object?.file.close();
    return object && { sizeBytes: object.sizeBytes, contentType: object.contentType, cacheControl: object.cacheControl };
  }

  async peek(key: string, bytes: number): Promise<PeekedObject | undefined> {
    const object = await this.openFile(key);
    if (!object) return undefined;
    const { file, offsetBytes, sizeBytes, contentType, cacheControl } = object;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offsetBytes);
      return { sizeBytes, contentType, cacheControl, start: buffer.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  }

  async open(key: string): Promise<OpenObject | undefined> {
    const object = await this.openFile(key);
    return object && { ...object, body: object.file.createReadStream({ start: object.offsetBytes }) };
  }

  openFile(key: string): Promise<ObjectFile | undefined> {
    return openObjectFile(this.path(key));
  }

  async put(key: string, bytes: Buffer | Readable, headers: ObjectHeaders): Promise<void> {
    const path = this.path(key);
    const temporary = join(this.unfinished, randomBytes(16).toString('hex'));
    const folder = dirname(path);
    const [, firstMade] = await Promise.all([mkdir(this.unfinished, { recursive: true }), mkdir(folder, { recursive: true })]);
    try {
      await writeObjectFile(temporary, bytes, headers, this.options.maxBytes);
      await rename(temporary, path);
      await flushFolders(folder, firstMade === undefined ? folder : dirname(firstMade));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.path(key), { force: true });
  }

  async *list(prefix: string, after = ''): AsyncIterable<string> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    if (folder !== '' && !isObjectKey(folder.slice(0, -1))) return;
    for await (const key of this.keysUnder(folder, after)) if (key.startsWith(prefix)) yield key;
  }

  async check(): Promise<void> {
    await mkdir(this.objects, { recursive: true });
    await access(this.objects, constants.R_OK | constants.W_OK);
  }

  async removeAbandoned(): Promise<void> {
    const folder = await opendir(this.unfinished).catch(absentIsFine);
    if (!folder) return;
    for await (const { name } of folder) {
      const path = join(this.unfinished, name);
      const facts = await stat(path).catch(absentIsFine);
      if (facts && this.options.clock.now().getTime() - facts.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  private async sign(method: SignedMethod, key: string, lifetimeSeconds: number): Promise<string> {
    if (!isObjectKey(key)) throw new Error('Not an object key');
    const expiresAtSeconds = Math.floor(this.options.clock.now().getTime() / 1000) + lifetimeSeconds;
    const signature = signParts(this.options.secret, { method, key, expiresAtSeconds }).toString('base64url');
    return `${this.options.publicUrl.replace(/\/$/, '')}/objects/${key}?expires=${expiresAtSeconds}&signature=${signature}`;
  }

  private path(key: string): string {
    if (!isObjectKey(key)) throw new Error('Not an object key');
    return join(this.objects, `${key}${SUFFIX}`);
  }

  /** Sorts folders with their slash, so that the names are in the order of the keys. */
  private async *keysUnder(folder: string, after: string): AsyncIterable<string> {
    const entries = (await readdir(join(this.objects, folder), { withFileTypes: true }).catch(absentIsFine)) ?? [];
    const names = entries.flatMap((entry) => {
      if (entry.isDirectory()) return [`${entry.name}/`];
      return entry.name.endsWith(SUFFIX) ? [entry.name.slice(0, -SUFFIX.length)] : [];
    });
    for (const name of names.sort()) {
      const key = `${folder}${name}`;
      if (!name.endsWith('/')) {
        if (key > after) yield key;
      } else if (key > after || after.startsWith(key)) yield* this.keysUnder(key, after);
    }
  }
}
