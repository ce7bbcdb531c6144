import type { Link } from './publication';

/** What a share link is at this moment: derived when asked, never stored. */
export type LinkStatus = 'active' | 'closed' | 'revoked' | 'expired';

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
