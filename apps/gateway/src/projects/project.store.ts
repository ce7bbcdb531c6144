import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import type { ProjectMode } from '../keys/api-key';
import { refuseDuplicate, requireOrganization } from '../organizations/organization.store';

export interface ProjectRow {
  readonly projectId: string;
  readonly organizationId: string;
  readonly mode: ProjectMode;
  readonly name: string;
  /** Null: none was chosen. */
  readonly timeZone: string | null;
  readonly kakaoKey: string | null;
  readonly createdAt: Date;
}

const SELECT = `
  SELECT project_id AS "projectId", organization_id AS "organizationId", mode, name, time_zone AS "timeZone",
         kakao_key AS "kakaoKey", created_at AS "createdAt" FROM projects`;

export const SECOND_TEST_PROJECT = 'The organization has a test project already.';

/** Of new projects, and of those of before that have chosen none. Share pages use it too where none was chosen, so they need not be told. */
export const DEFAULT_TIME_ZONE = 'Asia/Seoul';

export async function createProject(tx: Tx, project: Pick<ProjectRow, 'organizationId' | 'mode' | 'name'>): Promise<string> {
  const { organizationId, mode, name } = project;
  await requireOrganization(tx, organizationId);
  const projectId = newId();
  await refuseDuplicate(SECOND_TEST_PROJECT, () =>
    tx.execute('INSERT INTO projects (project_id, organization_id, mode, name, time_zone) VALUES ($1, $2, $3, $4, $5)', [
      projectId,
      organizationId,
      mode,
      name,
      DEFAULT_TIME_ZONE,
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

export const saveKakaoKey = (tx: Tx, projectId: string, key: string | null): Promise<number> =>
  tx.execute('UPDATE projects SET kakao_key = $2 WHERE project_id = $1', [projectId, key]);

export async function isProjectOf(tx: Tx, organizationId: string, projectId: string): Promise<boolean> {
  return (await findProject(tx, projectId))?.organizationId === organizationId;
}

/** A zone that the share service has to note. */
interface ZoneToNote {
  readonly projectId: string;
  readonly timeZone: string;
  readonly version: number;
}

export const saveTimeZone = (tx: Tx, projectId: string, timeZone: string): Promise<number> =>
  tx.execute('UPDATE projects SET time_zone = $2, time_zone_version = time_zone_version + 1 WHERE project_id = $1', [projectId, timeZone]);

/** Those of projects after this one. */
export const findZonesToNote = (tx: Tx, afterId: string, limit: number): Promise<ZoneToNote[]> =>
  tx.rows(
    `SELECT project_id AS "projectId", time_zone AS "timeZone", time_zone_version AS version FROM projects
      WHERE time_zone_noted < time_zone_version AND project_id > $1 ORDER BY project_id LIMIT $2`,
    [afterId, limit],
  );

export const zoneNoted = (tx: Tx, { projectId, version }: ZoneToNote): Promise<number> =>
  tx.execute('UPDATE projects SET time_zone_noted = $2 WHERE project_id = $1 AND time_zone_noted < $2', [projectId, version]);
