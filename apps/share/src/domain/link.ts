import type { Link } from './publication';

/** What a share link is at this moment: derived when asked, never stored. */
export type LinkStatus = 'active' | 'closed' | 'revoked' | 'expired';

/** What the ledger says now. */
export interface CurrentReport {
  readonly analysisStatus: string;
  readonly contentRevision: string | null;
}

export function linkStatus(
  link: Pick<Link, 'expiresAt' | 'revokedAt'>,
  publishedContentRevision: string | null,
  current: CurrentReport | null,
  now: Date,
): LinkStatus {
  if (link.revokedAt !== null) return 'revoked';
  if (link.expiresAt.getTime() <= now.getTime()) return 'expired';
  const open =
    publishedContentRevision !== null && current?.analysisStatus === 'complete' && current.contentRevision === publishedContentRevision;
  return open ? 'active' : 'closed';
}
