import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import type { ProjectMode } from '../keys/api-key';
import { refuseDuplicate, requireOrganization } from '../organizations/organization.store';

export interface ProjectRow {
  readonly projectId: string;
  readonly organizationId: string;
  readonly mode: ProjectMode;
  readonly name: string;
  readonly createdAt: Date;
}

const SELECT = `
  SELECT project_id AS "projectId", organization_id AS "organizationId", mode, name, created_at AS "createdAt" FROM projects`;

export const SECOND_TEST_PROJECT = 'The organization has a test project already.';

export async function createProject(tx: Tx, project: Pick<ProjectRow, 'organizationId' | 'mode' | 'name'>): Promise<string> {
  const { organizationId, mode, name } = project;
  await requireOrganization(tx, organizationId);
  const projectId = newId();
  await refuseDuplicate(SECOND_TEST_PROJECT, () =>
    tx.execute('INSERT INTO projects (project_id, organization_id, mode, name) VALUES ($1, $2, $3, $4)', [
      projectId,
      organizationId,
      mode,
      name,
    ]),
  );
  return projectId;
}

export async function findProject(tx: Tx, projectId: string): Promise<ProjectRow | null> {
  const [project] = await tx.rows<ProjectRow>(`${SELECT} WHERE project_id = $1`, [projectId]);
  return project ?? null;
}

export const listProjects = (tx: Tx, organizationId: string): Promise<ProjectRow[]> =>
  tx.rows(`${SELECT} WHERE organization_id = $1 ORDER BY project_id`, [organizationId]);

export const renameProject = (tx: Tx, projectId: string, name: string): Promise<number> =>
  tx.execute('UPDATE projects SET name = $2 WHERE project_id = $1', [projectId, name]);

export async function isProjectOf(tx: Tx, organizationId: string, projectId: string): Promise<boolean> {
  return (await findProject(tx, projectId))?.organizationId === organizationId;
}
