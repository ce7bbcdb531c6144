import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './totp';

const COUNT = 10;
/** 80 bits: a digest of it tells nothing to whoever gets hold of the database. */
const BYTES = 10;

/** As in k3xq-7mnd-2f6a-yt5w: to be printed, and typed when the telephone is lost. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => (base32(randomBytes(BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-'));

/** However it was typed. */
export const recoveryCodeDigest = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
    .digest();
