import {
  KeyScope,
  type ApiKey,
  type CreateProjectRequest,
  type IssuedApiKey,
  type IssueKeyRequest,
  type KeyList,
  type Project,
  type ProjectList,
} from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiKeyRow, createKey, createProject, listKeys, ProjectRow, revokeKey } from '../organization.store';
import { CLOCK } from '../tokens';
import { recordDeed, type Actor, type Deed } from './audit.store';
import type { SignedInVisitor } from './door';

@Injectable()
export class Projects {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(organizationId: string): Promise<ProjectList> {
    const rows = await this.database.asSystem((tx) => tx.find(ProjectRow, { where: { organizationId }, order: { projectId: 'ASC' } }));
    return { projects: rows.map(shownProject) };
  }

  one(projectId: string): Promise<Project> {
    return this.database.asSystem((tx) => this.read(tx, projectId));
  }

  create(organizationId: string, actor: Actor, { name, mode }: CreateProjectRequest): Promise<Project> {
    return this.database.asSystem(async (tx) => {
      await this.refuseSecondTest(tx, organizationId, mode);
      const projectId = await createProject(tx, { organizationId, mode, name });
      const deed: Deed = { action: 'project.created', projectId, subject: projectId, details: { name, mode } };
      await recordDeed(tx, organizationId, actor, deed, this.clock.now());
      return this.read(tx, projectId);
    });
  }

  rename(visitor: SignedInVisitor, projectId: string, name: string): Promise<Project> {
    return this.database.asSystem(async (tx) => {
      const before = await this.read(tx, projectId);
      await tx.update(ProjectRow, { projectId }, { name });
      await this.record(tx, visitor, { action: 'project.renamed', projectId, details: { from: before.name, to: name } });
      return { ...before, name };
    });
  }

  async keys(projectId: string): Promise<KeyList> {
    const rows = await this.database.withProject(projectId, (tx) => listKeys(tx, projectId));
    return { keys: rows.map(shownKey) };
  }

  issueKey(visitor: SignedInVisitor, projectId: string, { name, scopes }: IssueKeyRequest): Promise<IssuedApiKey> {
    return this.database.withProject(projectId, async (tx) => {
      const { keyId, key } = await createKey(tx, { projectId, name, scopes });
      await this.record(tx, visitor, { action: 'key.issued', projectId, subject: keyId, details: { name, scopes: scopes.join(' ') } });
      return { key: shownKey(await tx.findOneByOrFail(ApiKeyRow, { keyId })), value: key };
    });
  }

  revokeKey(visitor: SignedInVisitor, projectId: string, keyId: string): Promise<void> {
    // As the project: row-level security hides the keys of every other one.
    return this.database.withProject(projectId, async (tx) => {
      const key = await tx.findOneBy(ApiKeyRow, { keyId, projectId });
      if (!key) throw new DomainError('not_found');
      if (key.revokedAt) return;
      await revokeKey(tx, keyId, this.clock.now());
      await this.record(tx, visitor, { action: 'key.revoked', projectId, subject: keyId, details: { name: key.name } });
    });
  }

  private async read(tx: EntityManager, projectId: string): Promise<Project> {
    const row = await tx.findOneBy(ProjectRow, { projectId });
    if (!row) throw new DomainError('not_found');
    return shownProject(row);
  }

  private async refuseSecondTest(tx: EntityManager, organizationId: string, mode: string): Promise<void> {
    if (mode === 'test' && (await tx.existsBy(ProjectRow, { organizationId, mode })))
      throw new DomainError('conflict', { message: 'The organization has a test project already.' });
  }

  private record(tx: EntityManager, { member, actor }: SignedInVisitor, deed: Deed): Promise<unknown> {
    if (!member) throw new Error('Something was done in a project by no member');
    return recordDeed(tx, member.organizationId, actor, deed, this.clock.now());
  }
}

const shownProject = ({ projectId, organizationId, name, mode, createdAt }: ProjectRow): Project => ({
  project_id: projectId,
  organization_id: organizationId,
  name,
  mode,
  created_at: createdAt.toISOString(),
});

const shownKey = ({ keyId, name, prefix, last4, scopes, createdAt, lastUsedAt, revokedAt }: ApiKeyRow): ApiKey => ({
  key_id: keyId,
  name,
  shown: `${prefix}…${last4}`,
  scopes: scopes.map((scope) => KeyScope.parse(scope)),
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  revoked_at: revokedAt?.toISOString() ?? null,
});
