import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits need no slow hash: of sessions and invitations only the digest is kept. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
