import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedMethod = 'GET' | 'PUT';

export interface SignedParts {
  readonly method: SignedMethod;
  readonly key: string;
  readonly expiresAtSeconds: number;
}

/** Keys contain no line breaks, so different parts give different texts. */
export const signParts = (secret: string, { method, key, expiresAtSeconds }: SignedParts): Buffer =>
  createHmac('sha256', secret).update(`${method}\n${key}\n${expiresAtSeconds}`).digest();

const EXPIRES = /^[1-9][0-9]{0,11}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{43}$/;

/** Whether the address was issued and has not expired. Compares in constant time. */
export function isValidAddress(
  secret: string,
  claim: { method: SignedMethod; key: string; expires: string | null; signature: string | null },
  now: Date,
): boolean {
  if (!claim.expires || !EXPIRES.test(claim.expires) || !claim.signature || !SIGNATURE.test(claim.signature)) return false;
  const expiresAtSeconds = Number(claim.expires);
  const expected = signParts(secret, { ...claim, expiresAtSeconds });
  return timingSafeEqual(Buffer.from(claim.signature, 'base64url'), expected) && now.getTime() < expiresAtSeconds * 1000;
}
