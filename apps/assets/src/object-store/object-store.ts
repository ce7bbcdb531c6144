import type { Readable } from 'node:stream';

/** The headers that the sender of an object chose. They are stored and returned exactly as sent. */
export interface ObjectHeaders {
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
}

export interface ObjectFacts extends ObjectHeaders {
  readonly sizeBytes: number;
}

/** Facts and bytes of one version of the object, even if it is overwritten meanwhile. The reader must consume or destroy the body. */
export interface OpenObject extends ObjectFacts {
  readonly body: Readable;
}

/** Facts and the first bytes of one version of the object. */
export interface PeekedObject extends ObjectFacts {
  readonly start: Buffer;
}

export interface ObjectStore {
  /** An address that accepts any number of PUTs until it expires. Only the host is signed, no other header. */
  signPut(key: string, lifetimeSeconds: number): Promise<string>;
  /** An address that answers GET until it expires. */
  signGet(key: string, lifetimeSeconds: number): Promise<string>;
  stat(key: string): Promise<ObjectFacts | undefined>;
  /** One request, which reads no more than these bytes. */
  peek(key: string, bytes: number): Promise<PeekedObject | undefined>;
  open(key: string): Promise<OpenObject | undefined>;
  /** Atomic: a reader gets the whole old or the whole new object. */
  put(key: string, bytes: Buffer, headers: ObjectHeaders): Promise<void>;
  /** Succeeds for a key without an object. */
  remove(key: string): Promise<void>;
  /**
   * Every key with this prefix, in the order of its characters; with `after`, only keys after that one. Servers that store folders
   * list folder by folder. They keep this order only where no name is the beginning of a folder's name beside it, as in our keys.
   */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** Rejects while the object store is not usable. */
  check(): Promise<void>;
}

/** Into one buffer, so that the bytes are in memory once. */
export async function readWhole({ sizeBytes, body }: OpenObject): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let readBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) readBytes += chunk.copy(bytes, readBytes);
  if (readBytes !== sizeBytes) throw new Error('the object ended early');
  return bytes;
}

const REMOVALS_AT_ONCE = 16;

/** Removes the objects that exist now. It lists all keys first: listing a changing folder is not reliable on every server. */
export async function removeUnder(store: ObjectStore, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  while (keys.length > 0) await Promise.all(keys.splice(-REMOVALS_AT_ONCE).map((key) => store.remove(key)));
}
