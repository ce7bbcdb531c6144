import type { Role } from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import type { EntityManager } from 'typeorm';
import type { ProjectMode } from '../api-key';

interface Row {
  readonly organizationId: string;
  readonly role: Role;
  readonly mode: ProjectMode;
}

export interface MembershipFound {
  readonly organizationId: string;
  readonly role: Role;
  readonly project: { readonly projectId: string; readonly mode: ProjectMode } | null;
}

/** What the user is where the address leads. A stranger's organization or project is answered as one that does not exist. */
export async function membershipFor(
  tx: EntityManager,
  userId: string,
  { organizationId, projectId }: { organizationId?: string; projectId?: string },
): Promise<MembershipFound | null> {
  if (projectId === undefined && organizationId === undefined) return null;
  const [row] = await tx.query<Row[]>(projectId === undefined ? OF_ORGANIZATION : OF_PROJECT, [userId, projectId ?? organizationId]);
  if (!row) throw new DomainError('not_found');
  const project = projectId === undefined ? null : { projectId: projectId.toLowerCase(), mode: row.mode };
  return { organizationId: row.organizationId, role: row.role, project };
}

/** Of an organization that the user is known to belong to. */
export async function isProjectOf(tx: EntityManager, organizationId: string, projectId: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>('SELECT 1 FROM projects WHERE project_id = $1 AND organization_id = $2', [
    projectId,
    organizationId,
  ]);
  return rows.length === 1;
}

const OF_ORGANIZATION = `
  SELECT organization_id AS "organizationId", role FROM memberships WHERE user_id = $1 AND organization_id = $2`;

const OF_PROJECT = `
  SELECT organization_id AS "organizationId", role, mode FROM memberships JOIN projects USING (organization_id)
   WHERE user_id = $1 AND project_id = $2`;
