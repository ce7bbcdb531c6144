import type { LinkedBranch } from './branch.store';
import { FIRST_TIME_ZONE } from '../domain/partner';
import { NO_PARTNER, type StoredLogo, type StoredPartner } from './partner.store';

/** What pages show of who made an inspection: the branch, and what it leaves open from the project. */
export interface PublicFace {
  readonly name: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly openingHours: string | null;
  readonly logo: StoredLogo | null;
  readonly timeZone: string;
  /** Another one after each change of either. */
  readonly version: string;
}

export function publicFace(partner: StoredPartner | null, branch: LinkedBranch | null): PublicFace {
  const { name, phone, logo, timeZone, version } = partner ?? NO_PARTNER;
  return {
    name: branch?.name ?? name,
    phone: branch?.phone ?? phone,
    address: branch?.address ?? null,
    openingHours: branch?.openingHours ?? null,
    logo: branch?.logo ?? logo,
    timeZone: timeZone ?? FIRST_TIME_ZONE,
    version: `${version}.${branch?.version ?? 0}`,
  };
}
