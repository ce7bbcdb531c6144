import { SERVICE_NAMES, type ServiceName } from '@tire/contracts/grpc';
import { LRUCache } from 'lru-cache';
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** A token is signed once per callee and used for every call of this time, so a call costs no signature. */
const LIFETIME_MS = 5 * 60_000;
const CLOCK_SKEW_MS = 60_000;
/** Verified tokens that are remembered, so that a call costs no verification. Two per process that calls are current. */
const REMEMBERED_MAX = 1_000;

// Ed25519 keys are 32 bytes behind these prefixes (RFC 8410).
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

const privateKeyOf = (seed: Buffer): KeyObject => createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

const isName = (text: string): text is ServiceName => (SERVICE_NAMES as readonly string[]).includes(text);

/** Base64 of 32 bytes. Null if it is something else. */
export function readKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : null;
}

export interface PublicKey {
  readonly name: ServiceName;
  readonly key: Buffer;
}

/** `name:base64`, separated by commas. A name may have several keys, so that a key can be replaced. Null if the text is no such list. */
export function readPublicKeys(text: string): PublicKey[] | null {
  const keys: PublicKey[] = [];
  for (const part of text.split(',').filter((piece) => piece.trim())) {
    const [name = '', encoded = ''] = part.trim().split(':');
    const key = readKey(encoded);
    if (!key || !isName(name)) return null;
    keys.push({ name, key });
  }
  return keys;
}

export const publicKeyOf = (seed: Buffer): Buffer =>
  createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);

const signedText = (caller: string, callee: string, expiresMs: string): Buffer =>
  Buffer.from(`tire call 1 ${caller} ${callee} ${expiresMs}`);

/** Signs the calls of this process. A token names the callee, so the callee cannot use it elsewhere. */
export class CallSigner {
  private readonly key: KeyObject;
  private readonly tokens = new Map<string, { readonly token: string; readonly signedAtMs: number }>();

  constructor(
    private readonly name: ServiceName,
    seed: Buffer,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.key = privateKeyOf(seed);
  }

  tokenFor(callee: string): string {
    const known = this.tokens.get(callee);
    const nowMs = this.nowMs();
    // A token of a clock that was ahead and was set back: callees would refuse it until their clocks reach its time.
    const isFromNow = known && known.signedAtMs <= nowMs;
    if (isFromNow && nowMs < known.signedAtMs + LIFETIME_MS / 2) return known.token;
    const expiresMs = String(nowMs + LIFETIME_MS);
    const signature = sign(null, signedText(this.name, callee, expiresMs), this.key).toString('base64url');
    const token = [this.name, callee, expiresMs, signature].join('.');
    this.tokens.set(callee, { token, signedAtMs: nowMs });
    return token;
  }
}

/** Without a key the calls of this process have no token. A callee that requires one refuses them. */
export function callSigner(
  name: ServiceName,
  { SERVICE_PRIVATE_KEY }: { SERVICE_PRIVATE_KEY?: string | undefined },
): CallSigner | undefined {
  return SERVICE_PRIVATE_KEY === undefined ? undefined : new CallSigner(name, Buffer.from(SERVICE_PRIVATE_KEY, 'base64'));
}

/** Finds out which service made a token. */
export class CallVerifier {
  private readonly keys: readonly { readonly name: ServiceName; readonly key: KeyObject }[];
  private readonly remembered = new LRUCache<string, { readonly caller: ServiceName; readonly callee: string; readonly expiresMs: number }>(
    {
      max: REMEMBERED_MAX,
    },
  );

  constructor(
    keys: readonly PublicKey[],
    private readonly nowMs: () => number = Date.now,
  ) {
    this.keys = keys.map(({ name, key }) => ({
      name,
      key: createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' }),
    }));
  }

  /** Undefined if the token is invalid, too old, of a later time than this one, or made for another callee. */
  callerOf(token: string, callee: string): ServiceName | undefined {
    const known = this.remembered.get(token) ?? this.verified(token, callee);
    return known?.callee === callee && this.isOfNow(known.expiresMs) ? known.caller : undefined;
  }

  private isOfNow(expiresMs: number): boolean {
    const leftMs = expiresMs - this.nowMs();
    return leftMs > -CLOCK_SKEW_MS && leftMs <= LIFETIME_MS + CLOCK_SKEW_MS;
  }

  private verified(token: string, callee: string) {
    const [caller = '', audience, expires = '', signature = ''] = token.split('.');
    const expiresMs = Number(expires);
    if (audience !== callee || !Number.isSafeInteger(expiresMs) || !this.isOfNow(expiresMs)) return undefined;
    const text = signedText(caller, audience, expires);
    const bytes = Buffer.from(signature, 'base64url');
    const signer = this.keys.find(({ name, key }) => name === caller && verify(null, text, key, bytes));
    if (!signer) return undefined;
    const found = { caller: signer.name, callee, expiresMs };
    this.remembered.set(token, found);
    return found;
  }
}
