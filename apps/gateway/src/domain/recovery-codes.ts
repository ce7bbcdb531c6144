import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './totp';

const COUNT = 10;
/** 80 bits: too many to guess a code from its digest. */
const BYTES = 10;

/** In the form k3xq-7mnd-2f6a-yt5w: to be printed, and typed if the device of one-time codes is lost. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => (base32(randomBytes(BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-'));

/** Ignores upper case, spaces and hyphens. */
export const recoveryCodeDigest = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
    .digest();
