import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits need no slow hash. Only the digests of session and invitation tokens are stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
