import type { Link } from './publication';

/** What a share link is at this moment: derived when asked, never stored. */
export type LinkStatus = 'active' | 'closed' | 'revoked' | 'expired';

/**
 * `current` is the content revision that the record calls current now: none while anything is measured anew, and none where the
 * report is not served any more.
 */
export function linkStatus(
  link: Pick<Link, 'expiresAt' | 'revokedAt'>,
  published: string | null,
  current: string | null,
  now: Date,
): LinkStatus {
  if (link.revokedAt !== null) return 'revoked';
  if (link.expiresAt.getTime() <= now.getTime()) return 'expired';
  return published !== null && current === published ? 'active' : 'closed';
}
