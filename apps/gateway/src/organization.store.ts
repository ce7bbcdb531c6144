import { DomainError, newId } from '@tire/kernel';
import { Column, Entity, IsNull, PrimaryColumn, QueryFailedError, type EntityManager } from 'typeorm';
import { issueKey, type IssuedKey, type ProjectMode } from './api-key';

@Entity('organizations')
export class OrganizationRow {
  @PrimaryColumn('uuid', { name: 'organization_id' }) organizationId: string;
  @Column('text') name: string;
}

@Entity('projects')
export class ProjectRow {
  @PrimaryColumn('uuid', { name: 'project_id' }) projectId: string;
  @Column('uuid', { name: 'organization_id' }) organizationId: string;
  @Column('text') mode: ProjectMode;
  @Column('text') name: string;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
}

@Entity('api_keys')
export class ApiKeyRow {
  @PrimaryColumn('uuid', { name: 'key_id' }) keyId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('bytea', { select: false }) digest: Buffer;
  @Column('text') prefix: string;
  @Column('text') last4: string;
  @Column('text') name: string;
  @Column('text', { array: true }) scopes: string[];
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}

export const GATEWAY_ENTITIES = [OrganizationRow, ProjectRow, ApiKeyRow];

/** What a valid key stands for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly projectId: string;
  readonly mode: ProjectMode;
  readonly scopes: readonly string[];
}

export async function createOrganization(tx: EntityManager, name: string): Promise<string> {
  const organizationId = newId();
  await tx.insert(OrganizationRow, { organizationId, name });
  return organizationId;
}

export async function createProject(tx: EntityManager, project: Omit<ProjectRow, 'projectId' | 'createdAt'>): Promise<string> {
  await requireOrganization(tx, project.organizationId);
  const projectId = newId();
  await refuseDuplicate('The organization has a test project already.', () => tx.insert(ProjectRow, { projectId, ...project }));
  return projectId;
}

export async function createKey(
  tx: EntityManager,
  { projectId, name, scopes }: { projectId: string; name: string; scopes: string[] },
): Promise<IssuedKey & { keyId: string }> {
  const project = await tx.findOneBy(ProjectRow, { projectId });
  if (!project) throw new DomainError('not_found', { message: 'There is no such project.' });
  const issued = issueKey(project.mode);
  const { digest, prefix, last4 } = issued;
  const keyId = newId();
  await tx.insert(ApiKeyRow, { keyId, projectId, digest, prefix, last4, name, scopes: [...new Set(scopes)], revokedAt: null });
  return { ...issued, keyId };
}

/** Repeatable: the first revocation counts. */
export async function revokeKey(tx: EntityManager, keyId: string, now: Date): Promise<Date> {
  await tx.update(ApiKeyRow, { keyId, revokedAt: IsNull() }, { revokedAt: now });
  const key = await tx.findOneBy(ApiKeyRow, { keyId });
  if (!key?.revokedAt) throw new DomainError('not_found', { message: 'There is no such key.' });
  return key.revokedAt;
}

/** Indexed reads in one statement; whose keys they are, is what it finds out, so it is asked as the system. In the order asked. */
export async function findKeyHolders(tx: EntityManager, digests: readonly Buffer[]): Promise<(KeyHolder | null)[]> {
  const found = await tx.query<(KeyHolder & { digest: Buffer })[]>(
    `SELECT digest, key_id AS "keyId", project_id AS "projectId", mode, scopes
       FROM api_keys JOIN projects USING (project_id)
      WHERE digest = ANY($1) AND revoked_at IS NULL`,
    [digests],
  );
  const holders = new Map(found.map(({ digest, ...holder }) => [digest.toString('hex'), holder]));
  return digests.map((digest) => holders.get(digest.toString('hex')) ?? null);
}

/** A process that is behind the others moves no time back. */
export async function recordKeyUse(tx: EntityManager, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET last_used_at = used.at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS used (key_id, at)
      WHERE api_keys.key_id = used.key_id AND (last_used_at IS NULL OR last_used_at < used.at)`,
    [[...usedAtMs.keys()], [...usedAtMs.values()].map((atMs) => new Date(atMs))],
  );
}

/** What may be shown of the keys of a project; a key itself is shown when it is made, and nowhere else. */
export async function listKeys(tx: EntityManager, projectId: string): Promise<ApiKeyRow[]> {
  if (!(await tx.existsBy(ProjectRow, { projectId }))) throw new DomainError('not_found', { message: 'There is no such project.' });
  return tx.find(ApiKeyRow, { where: { projectId }, order: { keyId: 'ASC' } });
}

export async function requireOrganization(tx: EntityManager, organizationId: string): Promise<void> {
  const found = await tx.existsBy(OrganizationRow, { organizationId });
  if (!found) throw new DomainError('not_found', { message: 'There is no such organization.' });
}

const UNIQUE_VIOLATION = '23505';

export async function refuseDuplicate(message: string, insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (cause) {
    const duplicate = cause instanceof QueryFailedError && (cause.driverError as { code?: string }).code === UNIQUE_VIOLATION;
    throw duplicate ? new DomainError('validation_error', { message, cause }) : cause;
  }
}
