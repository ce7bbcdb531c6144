import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** AES-256-GCM with named keys, so that keys can be replaced: the newest key seals, all keys open. */
export interface SealingKey {
  readonly id: string;
  /** Node imports a key in a buffer at each use. In Node 24 that takes longer than the rest of opening a value. */
  readonly key: KeyObject;
}

export type SealingKeys = readonly [SealingKey, ...SealingKey[]];

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

const headOf = (id: string): Buffer => Buffer.concat([Buffer.from([VERSION, id.length]), Buffer.from(id, 'latin1')]);

/** The first bytes of everything that the newest key seals. */
export const sealedHead = ([newest]: SealingKeys): Buffer => headOf(newest.id);

/** The purpose is authenticated too: a secret that is sealed for one row does not open in another. */
export function seal([newest]: SealingKeys, plain: Buffer, purpose: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const head = headOf(newest.id);
  const cipher = createCipheriv(CIPHER, newest.key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), sealed]);
}

export function unseal(keys: SealingKeys, sealed: Buffer, purpose: string): Buffer {
  const id = sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString('latin1');
  const found = sealed[0] === VERSION ? keys.find((candidate) => candidate.id === id) : undefined;
  if (!found) throw new Error('It was sealed with a key that is not configured');
  const ivAt = 2 + id.length;
  const tagAt = ivAt + IV_BYTES;
  const decipher = createDecipheriv(CIPHER, found.key, sealed.subarray(ivAt, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([sealed.subarray(0, ivAt), Buffer.from(purpose)]));
  decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  const plain = decipher.update(sealed.subarray(tagAt + TAG_BYTES));
  decipher.final();
  return plain;
}

const WRITTEN = /^([a-z0-9-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** `id:base64`, newest first, separated by commas; null if the text is not a list of keys. */
export function readSealingKeys(text: string): SealingKeys | null {
  const keys: SealingKey[] = [];
  for (const part of text.split(',')) {
    const [, id, key] = WRITTEN.exec(part.trim()) ?? [];
    if (id === undefined || key === undefined || keys.some((other) => other.id === id)) return null;
    keys.push({ id, key: createSecretKey(key, 'base64') });
  }
  const [newest, ...older] = keys;
  return newest ? [newest, ...older] : null;
}

/** The settings of a service that stores secrets. */
export const sealingConfig = {
  SEALING_KEYS: z
    .string()
    .transform((text, context) => {
      const keys = readSealingKeys(text);
      if (keys) return keys;
      context.addIssue({ code: 'custom', message: 'must be id:base64 of 32 random bytes, or several with commas between' });
      return z.NEVER;
    })
    .describe(
      'Seals secrets in the database of this service: id:base64 of 32 random bytes. The first key seals, all keys open. To replace it see the runbook.',
    ),
};
