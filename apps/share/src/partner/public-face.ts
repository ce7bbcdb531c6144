import type { Database } from '@tire/platform';
import { BRANCH_JSON, type LinkedBranch } from './branch.store';
import { FIRST_TIME_ZONE } from '../domain/partner';
import { NO_PARTNER, PARTNER_JSON, type StoredLogo, type StoredPartner } from './partner.store';

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

/** The address and the hours of the project are not those of a branch: customers would go to the wrong place. */
export function publicFace(partner: StoredPartner | null, branch: LinkedBranch | null): PublicFace {
  const { name, phone, logo, timeZone, version, ...place } = partner ?? NO_PARTNER;
  const { address, openingHours } = branch ?? place;
  return {
    name: branch?.name ?? name,
    phone: branch?.phone ?? phone,
    address,
    openingHours,
    logo: branch?.logo ?? logo,
    timeZone: timeZone ?? FIRST_TIME_ZONE,
    version: `${version}.${branch?.version ?? 0}`,
  };
}

const FACE = `
  SELECT ${PARTNER_JSON} AS partner, ${BRANCH_JSON} AS branch
    FROM (SELECT $1::uuid AS project_id) p LEFT JOIN partners t ON t.project_id = p.project_id
         LEFT JOIN branches b ON b.project_id = p.project_id AND b.branch_id = $2::uuid`;

/** That of the branch, or that of the project where it is null or a branch of another project. */
export async function findFace(database: Database, projectId: string, branchId: string | null): Promise<PublicFace> {
  type Row = { readonly partner: StoredPartner | null; readonly branch: LinkedBranch | null };
  const [row] = await database.projectQuery<Row>(projectId, FACE, [projectId, branchId]);
  return publicFace(row?.partner ?? null, row?.branch ?? null);
}
