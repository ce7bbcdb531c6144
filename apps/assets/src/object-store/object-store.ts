import type { Readable } from 'node:stream';

/** The two headers that the sender of an object chose, kept and returned exactly as sent. */
export interface ObjectHeaders {
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
}

export interface ObjectFacts extends ObjectHeaders {
  readonly sizeBytes: number;
}

/** Facts and bytes of one version of the object, even if it is overwritten meanwhile. The body must be read or destroyed. */
export interface OpenObject extends ObjectFacts {
  readonly body: Readable;
}

export interface ObjectStore {
  /** An address that takes one PUT after another until it expires; only the host is signed, no header. */
  signPut(key: string, lifetimeSeconds: number): Promise<string>;
  /** An address that answers GET until it expires. */
  signGet(key: string, lifetimeSeconds: number): Promise<string>;
  stat(key: string): Promise<ObjectFacts | undefined>;
  open(key: string): Promise<OpenObject | undefined>;
  /** Whole or not at all, whoever reads meanwhile. */
  put(key: string, bytes: Buffer, headers: ObjectHeaders): Promise<void>;
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>;
  /**
   * Every key that begins so, in the order of its characters; with `after`, only those behind that one. Servers that keep folders list
   * folder by folder: for them it holds of keys where no object is a folder and no name beside it is the beginning of a folder's, as ours.
   */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** Rejects while the store cannot be used. */
  check(): Promise<void>;
}

export const OBJECT_STORE = Symbol('object store');

/** Nothing is held twice. */
export async function readWhole({ sizeBytes, body }: OpenObject): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let readBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) readBytes += chunk.copy(bytes, readBytes);
  if (readBytes !== sizeBytes) throw new Error('the object ended early');
  return bytes;
}

const REMOVALS_AT_ONCE = 16;

/** Removes what is there when it is called. All is listed first: a store need not list well what changes meanwhile. */
export async function removeUnder(store: ObjectStore, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  while (keys.length > 0) await Promise.all(keys.splice(-REMOVALS_AT_ONCE).map((key) => store.remove(key)));
}
