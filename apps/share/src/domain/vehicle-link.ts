import { isValid } from './link';

/** Links of a vehicle that are open at once. */
export const OPEN_LINKS_MAX = 10;

/** For so long a link that has ended says that it has. Afterwards its address was never known. */
export const ENDED_KEPT_MS = 365 * 86_400_000;

interface Ends {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** Derived for each request and never stored. A link never closes for a while: it shows what is public of the vehicle now. */
export function vehicleLinkStatus(link: Ends, now: Date): 'active' | 'revoked' | 'expired' {
  if (link.revokedAt !== null) return 'revoked';
  return isValid(link, now) ? 'active' : 'expired';
}
