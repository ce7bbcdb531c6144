import type { ledgerApi } from '@tire/contracts/grpc';
import type { CaptureSession } from '@tire/contracts/capture';
import { CAPTURE_HOURS } from '@tire/contracts/limits';
import { fault, type Fault } from '@tire/kernel';
import { randomBytes } from 'node:crypto';
import type { PublicAddresses } from '../domain/document';
import type { CaptureLink } from '../domain/capture';
import { tokenDigest } from '../reports/share-token';

const HOUR_MS = 3_600_000;
const TOKEN_BYTES = 32;

/** A new link, and its token: it is in the answer to who orders the link, and only its digest is stored. */
export interface NewCapture {
  readonly link: CaptureLink;
  readonly token: string;
}

export function newCapture({ expiresInHours, language, returnUrl }: ledgerApi.CaptureOrder, now: Date): NewCapture {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + (expiresInHours || CAPTURE_HOURS.default) * HOUR_MS).toISOString();
  const link = { digest: tokenDigest(token), language: readLanguage(language), returnUrl: returnUrl ?? null, expiresAt };
  return { link: { ...link, openedAt: null, finishedAt: null, revokedAt: null }, token };
}

/** A page without TLS could read which report a person comes from. */
export const returnUrlFaults = ({ returnUrl }: Pick<CaptureLink, 'returnUrl'>, param: string, allowsPlain: boolean): Fault[] =>
  returnUrl === null || allowsPlain || /^https:/i.test(returnUrl) ? [] : [fault(param, 'must be an HTTPS address.')];

function readLanguage(language: string): CaptureSession['language'] {
  if (language === '') return 'ko';
  if (language === 'ko' || language === 'en') return language;
  throw new Error(`No language of capture links: ${language}`);
}

/** The gateway serves the page, under the address of the API. */
export const captureUrl = ({ apiUrl }: PublicAddresses, token: string): string => `${new URL(apiUrl).origin}/c/${token}`;
