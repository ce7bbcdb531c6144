import type { Link } from './publication';

/** What a share link is at this moment: derived when asked, never stored. */
export type LinkStatus = 'active' | 'closed' | 'revoked' | 'expired';

// 32 bytes in base64url, as the ledger mints them and this service does: the last letter stands for four bits.
const TOKEN = /^[\w-]{42}[AEIMQUYcgkosw048]$/;
const LENGTH = 43;

/** Anything else was never a token of ours. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/**
 * The token in front of what is no part of one: a messenger takes a bracket, a full stop or a particle that stands behind an address
 * for its end.
 */
export function tokenIn(text: string): string {
  const token = text.slice(0, LENGTH);
  return isToken(token) && !/^[\w-]/.test(text.slice(LENGTH)) ? token : '';
}

export const asksForPdf = (text: string): boolean => /^\.pdf(?![\w-])/.test(text.slice(LENGTH));

type Ends = Pick<Link, 'expiresAt' | 'revokedAt'>;

const isExpired = ({ expiresAt }: Ends, now: Date): boolean => expiresAt.getTime() <= now.getTime();

/** Whether its page may open, now or when the report is public: what `links.share` says. */
export const isValid = (link: Ends, now: Date): boolean => link.revokedAt === null && !isExpired(link, now);

/**
 * `current` is the content revision that the record calls current now: none while anything is measured anew, and none where the
 * report is not served any more.
 */
export function linkStatus(link: Ends, published: string | null, current: string | null, now: Date): LinkStatus {
  if (link.revokedAt !== null) return 'revoked';
  if (isExpired(link, now)) return 'expired';
  return published !== null && current === published ? 'active' : 'closed';
}
