import { DomainError, newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import { findProject } from '../projects/project.store';
import { issueKey, type IssuedKey, type ProjectMode } from './api-key';

/** The holder of a valid key. */
export interface KeyHolder {
  readonly keyId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly mode: ProjectMode;
  readonly scopes: readonly string[];
}

/** The displayed fields of a key. The whole key is shown only once, when it is issued. */
export interface KeyRow {
  readonly keyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

const SELECT = `
  SELECT key_id AS "keyId", name, prefix, last4, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt",
         revoked_at AS "revokedAt" FROM api_keys`;

export async function createKey(
  tx: Tx,
  { projectId, name, scopes }: { projectId: string; name: string; scopes: readonly string[] },
): Promise<IssuedKey & { keyId: string }> {
  const { mode } = await requireProject(tx, projectId);
  const issued = issueKey(mode);
  const { digest, prefix, last4 } = issued;
  const keyId = newId();
  await tx.execute('INSERT INTO api_keys (key_id, project_id, digest, prefix, last4, name, scopes) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
    keyId,
    projectId,
    digest,
    prefix,
    last4,
    name,
    [...new Set(scopes)],
  ]);
  return { ...issued, keyId };
}

export async function findKey(tx: Tx, projectId: string, keyId: string): Promise<KeyRow | null> {
  const [key] = await tx.rows<KeyRow>(`${SELECT} WHERE project_id = $1 AND key_id = $2`, [projectId, keyId]);
  return key ?? null;
}

export async function listKeys(tx: Tx, projectId: string): Promise<KeyRow[]> {
  await requireProject(tx, projectId);
  return tx.rows(`${SELECT} WHERE project_id = $1 ORDER BY key_id`, [projectId]);
}

/** Repeatable: of several revocations, also simultaneous ones, one is the first and counts. */
export async function revokeKey(tx: Tx, keyId: string, now: Date): Promise<RevokedKey> {
  const isFirst = (await tx.execute(REVOKE, [keyId, now])) === 1;
  const [key] = await tx.rows<Omit<RevokedKey, 'isFirst'>>(REVOKED, [keyId]);
  if (!key) throw new DomainError('not_found', { message: 'There is no such key.' });
  return { ...key, isFirst };
}

export interface RevokedKey {
  readonly projectId: string;
  readonly name: string;
  readonly revokedAt: Date;
  readonly isFirst: boolean;
}

const REVOKED = 'SELECT project_id AS "projectId", name, revoked_at AS "revokedAt" FROM api_keys WHERE key_id = $1';
const REVOKE = 'UPDATE api_keys SET revoked_at = $2 WHERE key_id = $1 AND revoked_at IS NULL';

/** One statement for all digests, in their order. Runs as the system, because the project of a key is unknown before the look-up. */
export async function findKeyHolders(tx: Tx, digests: readonly Buffer[]): Promise<(KeyHolder | null)[]> {
  const found = await tx.rows<KeyHolder & { digest: Buffer }>(
    `SELECT digest, key_id AS "keyId", project_id AS "projectId", organization_id AS "organizationId", mode, scopes
       FROM api_keys JOIN projects USING (project_id)
      WHERE digest = ANY($1) AND revoked_at IS NULL`,
    [digests],
  );
  const holders = new Map(found.map(({ digest, ...holder }) => [digest.toString('hex'), holder]));
  return digests.map((digest) => holders.get(digest.toString('hex')) ?? null);
}

/** A process that writes late never moves a time back. */
export const recordKeyUse = (tx: Tx, usedAtMs: ReadonlyMap<string, number>): Promise<number> =>
  tx.execute(
    `UPDATE api_keys SET last_used_at = used.at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS used (key_id, at)
      WHERE api_keys.key_id = used.key_id AND (last_used_at IS NULL OR last_used_at < used.at)`,
    [[...usedAtMs.keys()], [...usedAtMs.values()].map((atMs) => new Date(atMs))],
  );

async function requireProject(tx: Tx, projectId: string) {
  const project = await findProject(tx, projectId);
  if (!project) throw new DomainError('not_found', { message: 'There is no such project.' });
  return project;
}
