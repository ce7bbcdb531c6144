import { DomainError, invalidRequest, newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';

export interface OrganizationRow {
  readonly name: string;
  readonly createdAt: Date;
}

export async function createOrganization(tx: Tx, name: string): Promise<string> {
  const organizationId = newId();
  await tx.execute('INSERT INTO organizations (organization_id, name) VALUES ($1, $2)', [organizationId, name]);
  return organizationId;
}

export async function findOrganization(tx: Tx, organizationId: string): Promise<OrganizationRow | null> {
  const [row] = await tx.rows<OrganizationRow>('SELECT name, created_at AS "createdAt" FROM organizations WHERE organization_id = $1', [
    organizationId,
  ]);
  return row ?? null;
}

export async function organizationIds(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>('SELECT organization_id AS id FROM organizations ORDER BY organization_id', []);
  return rows.map(({ id }) => id);
}

export async function requireOrganization(tx: Tx, organizationId: string): Promise<OrganizationRow> {
  const found = await findOrganization(tx, organizationId);
  if (!found) throw new DomainError('not_found', { message: 'There is no such organization.' });
  return found;
}

export const renameOrganization = (tx: Tx, organizationId: string, name: string): Promise<number> =>
  tx.execute('UPDATE organizations SET name = $2 WHERE organization_id = $1', [organizationId, name]);

const UNIQUE_VIOLATION = '23505';

export async function refuseDuplicate(message: string, insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (cause) {
    const duplicate = (cause as { code?: unknown }).code === UNIQUE_VIOLATION;
    throw duplicate ? invalidRequest([{ param: null, message }], cause) : cause;
  }
}
