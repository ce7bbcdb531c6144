import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type ProjectMode = 'test' | 'live';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 > 2^256, 62^6 > 2^32. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const KEY = new RegExp(`^(svc_(?:test|live)_[${ALPHABET}]{${SECRET_LENGTH}})([${ALPHABET}]{${CHECKSUM_LENGTH}})$`);

/** These characters are shown so that people can distinguish keys; they do not suffice to use a key. */
const SHOWN_SECRET_LENGTH = 4;

export interface IssuedKey {
  /** The whole key exists here only when it is issued. */
  readonly key: string;
  readonly digest: Buffer;
  readonly prefix: string;
  readonly last4: string;
}

export function issueKey(mode: ProjectMode): IssuedKey {
  const modePrefix = `svc_${mode}_`;
  const body = modePrefix + base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_LENGTH);
  const key = body + checksum(body);
  return { key, digest: digestOf(key), prefix: body.slice(0, modePrefix.length + SHOWN_SECRET_LENGTH), last4: key.slice(-4) };
}

/** Detects a mistyped or invented key without a look-up. */
export function isWellFormedKey(text: string): boolean {
  const [, body, sum] = KEY.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** 256 random bits need no salt and no slow hash. */
export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH);

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)]! + text;
  return text;
}
