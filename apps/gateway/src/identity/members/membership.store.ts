import type { Role } from '@tire/contracts/console';
import { DomainError } from '@tire/kernel';
import type { Database } from '@tire/platform';
import type { ProjectMode } from '../../keys/api-key';

export type Membership = { readonly organizationId: string; readonly role: Role } & (
  | object
  | { readonly projectId: string; readonly mode: ProjectMode }
);

/** The role of a user in the organization or project of the path. Other organizations and their projects are treated as missing. */
export async function findMembership(
  database: Database,
  userId: string,
  ids: { organizationId: string } | { projectId: string },
): Promise<Membership> {
  const [sql, id] = 'projectId' in ids ? [OF_PROJECT, ids.projectId] : [OF_ORGANIZATION, ids.organizationId];
  const [row] = await database.systemQuery<Membership>(sql, [userId, id]);
  if (!row) throw new DomainError('not_found');
  return row;
}

const OF_ORGANIZATION = `
  SELECT organization_id AS "organizationId", role FROM memberships WHERE user_id = $1 AND organization_id = $2`;

const OF_PROJECT = `
  SELECT organization_id AS "organizationId", role, project_id AS "projectId", mode FROM memberships JOIN projects USING (organization_id)
   WHERE user_id = $1 AND project_id = $2`;
