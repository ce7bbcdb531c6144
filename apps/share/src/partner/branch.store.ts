import type { Tx } from '@tire/platform';
import type { BranchTexts } from '../domain/partner';
import { logoJson, type StoredLogo } from './partner.store';

export interface StoredBranch extends BranchTexts {
  readonly branchId: string;
  readonly logo: StoredLogo | null;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
}

/** What pages show of a branch, from the query of the link. */
export interface LinkedBranch extends BranchTexts {
  readonly logo: StoredLogo | null;
  readonly version: number;
}

/** One JSON value from a row `b` of branches, or from none. */
export const BRANCH_JSON = `
  CASE WHEN b.branch_id IS NOT NULL THEN json_build_object('name', b.name, 'phone', b.phone, 'address', b.address,
    'openingHours', b.opening_hours, 'version', b.version, 'logo', ${logoJson('b')}) END`;

const SELECT = `
  SELECT branch_id AS "branchId", name, phone, address, opening_hours AS "openingHours", archived_at AS "archivedAt",
         created_at AS "createdAt", ${logoJson('branches')} AS logo FROM branches WHERE project_id = $1`;

export const listBranches = (tx: Tx, projectId: string): Promise<StoredBranch[]> => tx.rows(`${SELECT} ORDER BY branch_id`, [projectId]);

export async function findBranch(tx: Tx, projectId: string, branchId: string): Promise<StoredBranch | null> {
  const [branch] = await tx.rows<StoredBranch>(`${SELECT} AND branch_id = $2`, [projectId, branchId]);
  return branch ?? null;
}

export const insertBranch = (tx: Tx, projectId: string, branchId: string, texts: BranchTexts, now: Date): Promise<number> =>
  tx.execute(
    'INSERT INTO branches (project_id, branch_id, name, phone, address, opening_hours, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [projectId, branchId, texts.name, texts.phone, texts.address, texts.openingHours, now],
  );

/** Archived since the first time, or null. */
export const updateBranch = (tx: Tx, projectId: string, branchId: string, texts: BranchTexts, archivedAt: Date | null): Promise<number> =>
  tx.execute(
    `UPDATE branches SET name = $3, phone = $4, address = $5, opening_hours = $6, version = version + 1,
            archived_at = CASE WHEN $7::timestamptz IS NOT NULL THEN coalesce(archived_at, $7) END
      WHERE project_id = $1 AND branch_id = $2`,
    [projectId, branchId, texts.name, texts.phone, texts.address, texts.openingHours, archivedAt],
  );

export const saveBranchLogo = (tx: Tx, projectId: string, branchId: string, logo: StoredLogo | null): Promise<number> =>
  tx.execute(
    `UPDATE branches SET logo_name = $3, logo_width_px = $4, logo_height_px = $5, version = version + 1
      WHERE project_id = $1 AND branch_id = $2`,
    [projectId, branchId, logo?.name ?? null, logo?.widthPx ?? null, logo?.heightPx ?? null],
  );
