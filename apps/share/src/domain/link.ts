import type { Link } from './publication';

/** The state of a share link now. It is derived for each request and never stored. */
export type LinkStatus = 'active' | 'closed' | 'revoked' | 'expired';

// 32 bytes in base64url, as the ledger and this service mint them. The last character encodes four bits.
const TOKEN = /^[\w-]{42}[AEIMQUYcgkosw048]$/;
const LENGTH = 43;

/** Other text was never a token. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** The token at the start of a text. Messengers include a bracket, a full stop or a Korean particle after an address in the link. */
export function tokenIn(text: string): string {
  const token = text.slice(0, LENGTH);
  return isToken(token) && !/^[\w-]/.test(text.slice(LENGTH)) ? token : '';
}

export const isPdfPath = (text: string): boolean => /^\.pdf(?![\w-])/.test(text.slice(LENGTH));

/** Why a page with a valid link is closed. A visitor can wait for `processing` only. */
export type ClosedBecause = 'processing' | 'awaiting_images' | 'partial' | 'failed' | 'legacy' | 'discarded';

/** The ledger's answer about the content of a report. */
interface Pointed {
  readonly errorCode: string;
  readonly pointer?: { readonly status: string; readonly analysisStatus: string } | undefined;
}

export function closedBecause({ errorCode, pointer }: Pointed): ClosedBecause {
  // The ledger serves the report no more: it is discarded or purged, and its link here will be too.
  if (!pointer) return errorCode === 'content_unavailable_for_legacy' ? 'legacy' : 'discarded';
  const { status, analysisStatus } = pointer;
  if (analysisStatus === 'awaiting_images' || analysisStatus === 'partial') return analysisStatus;
  return status === 'failed' ? 'failed' : 'processing';
}

type Ends = Pick<Link, 'expiresAt' | 'revokedAt'>;

const isExpired = ({ expiresAt }: Ends, now: Date): boolean => expiresAt.getTime() <= now.getTime();

/** Whether the page may open, now or when the report is public. `links.share` shows this. */
export const isValid = (link: Ends, now: Date): boolean => link.revokedAt === null && !isExpired(link, now);

/** `current` is the current content revision in the ledger. Null during a re-analysis, and if the report is not served any more. */
export function linkStatus(link: Ends, published: string | null, current: string | null, now: Date): LinkStatus {
  if (link.revokedAt !== null) return 'revoked';
  if (isExpired(link, now)) return 'expired';
  return published !== null && current === published ? 'active' : 'closed';
}
