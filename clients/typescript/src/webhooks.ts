import { WebhookVerificationError } from './errors.ts';
import type { CaptureFinished, ContentReady, ReportCompleted, ReportFailed, ReportPartial, ShareRevoked } from './types.ts';

/** The console sends it when a member tests an address. */
export interface CallbackTest {
  readonly type: 'callback.test';
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Ignore events of a type that you do not know. All but `report.completed` come only where the project has chosen them in the console. */
export type WebhookEvent = ReportCompleted | ReportPartial | ReportFailed | ContentReady | ShareRevoked | CaptureFinished | CallbackTest;

export interface SignedCallback {
  /** The body as it came: text or bytes, never an object that was parsed and written again. */
  readonly payload: string | Uint8Array | ArrayBuffer;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`; several while a secret is being replaced. */
  readonly secret: string | readonly string[];
  /** How old or how far in the future a callback may be. 300 by default. */
  readonly toleranceSeconds?: number;
}

/** The service signs with each secret that is valid, two while one is being replaced. Each one that is judged hashes the body. */
const SIGNATURES_MAX = 10;

function headerOf(headers: SignedCallback['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof found === 'string' ? found : found?.[0]) ?? '';
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('secret must be the webhook secret as the console shows it.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(payload: SignedCallback['payload']): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload);
  if (payload instanceof Uint8Array) return payload;
  throw new TypeError('payload must be the raw body: an object that was parsed and written again has another signature.');
}

/** Web Crypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const key of await Promise.all(secrets.map(keyOf)))
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  return false;
}

/**
 * Checks a callback as Standard Webhooks describes and returns its event. A callback may come more than once, with the same `webhook-id`.
 */
export async function verifyWebhook({ payload, headers, secret, toleranceSeconds = 300 }: SignedCallback): Promise<WebhookEvent> {
  const body = bytesOf(payload);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name)) as [
    string,
    string,
    string,
  ];
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The headers of the signature are missing.');
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError('The time of the callback is outside of the tolerance.');
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const ofVersion1 = signatures.split(' ').filter((one) => one.startsWith('v1,'));
  const judged = ofVersion1.slice(0, SIGNATURES_MAX).flatMap((one) => fromBase64(one.slice(3)) ?? []);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSigned(signed, judged, secrets))) throw new WebhookVerificationError('No signature is that of the secret.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The body is not JSON.');
  }
}
