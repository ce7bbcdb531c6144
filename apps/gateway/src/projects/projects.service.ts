import type { CreateProjectRequest, Project, ProjectList } from '@tire/contracts/console';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import type { MemberCaller, ProjectMember } from '../edge/callers';
import {
  createProject,
  findProject,
  listProjects,
  renameProject,
  saveKakaoKey,
  SECOND_TEST_PROJECT,
  type ProjectRow,
} from './project.store';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(organizationId: string): Promise<ProjectList> {
    const rows = await this.database.asSystem((tx) => listProjects(tx, organizationId));
    return { projects: rows.map(shownProject) };
  }

  one(projectId: string): Promise<Project> {
    return this.database.asSystem((tx) => this.read(tx, projectId));
  }

  create({ organizationId, actor }: MemberCaller, { name, mode }: CreateProjectRequest): Promise<Project> {
    return this.database.asSystem(async (tx) => {
      if (mode === 'test' && (await listProjects(tx, organizationId)).some((project) => project.mode === 'test'))
        throw new DomainError('conflict', { message: SECOND_TEST_PROJECT });
      const projectId = await createProject(tx, { organizationId, mode, name });
      const change = { action: 'project.created', projectId, subject: projectId, details: { name, mode } } as const;
      await recordChange(tx, organizationId, actor, change, this.clock.now());
      return this.read(tx, projectId);
    });
  }

  rename({ projectId, organizationId, actor }: ProjectMember, name: string): Promise<Project> {
    return this.database.asSystem(async (tx) => {
      const before = await this.read(tx, projectId);
      await renameProject(tx, projectId, name);
      const change = { action: 'project.renamed', projectId, details: { from: before.name, to: name } } as const;
      await recordChange(tx, organizationId, actor, change, this.clock.now());
      return { ...before, name };
    });
  }

  changeKakaoKey({ projectId, organizationId, actor }: ProjectMember, key: string | null): Promise<Project> {
    return this.database.asSystem(async (tx) => {
      const before = await this.read(tx, projectId);
      await saveKakaoKey(tx, projectId, key);
      const change = { action: 'project.kakao_key_changed', projectId, details: { from: before.kakao_key ?? '', to: key ?? '' } } as const;
      await recordChange(tx, organizationId, actor, change, this.clock.now());
      return { ...before, kakao_key: key };
    });
  }

  private async read(tx: Tx, projectId: string): Promise<Project> {
    const row = await findProject(tx, projectId);
    if (!row) throw new DomainError('not_found');
    return shownProject(row);
  }
}

export const shownProject = ({ projectId, organizationId, name, mode, timeZone, kakaoKey, createdAt }: ProjectRow): Project => ({
  project_id: projectId,
  organization_id: organizationId,
  name,
  mode,
  time_zone: timeZone,
  kakao_key: kakaoKey,
  created_at: createdAt.toISOString(),
});
