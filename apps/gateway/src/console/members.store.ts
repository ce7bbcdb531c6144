import type { Role } from '@tire/contracts';
import type { EntityManager } from 'typeorm';

export interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly joinedAt: Date;
}

export const listMembers = (tx: EntityManager, organizationId: string): Promise<MemberRow[]> =>
  tx.query(
    `SELECT user_id AS "userId", email, name, role, totp_secret IS NOT NULL AS "totpEnabled", memberships.created_at AS "joinedAt"
       FROM memberships JOIN users USING (user_id) WHERE organization_id = $1 ORDER BY email`,
    [organizationId],
  );

export async function isMember(tx: EntityManager, organizationId: string, email: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>('SELECT FROM memberships JOIN users USING (user_id) WHERE organization_id = $1 AND email = $2', [
    organizationId,
    email,
  ]);
  return rows.length > 0;
}

/** The organization's row is the lock: of two owners who remove each other at once, one is left. */
export const lockMembers = (tx: EntityManager, organizationId: string): Promise<unknown> =>
  tx.query('SELECT FROM organizations WHERE organization_id = $1 FOR NO KEY UPDATE', [organizationId]);

export const setRole = (tx: EntityManager, organizationId: string, userId: string, role: Role): Promise<unknown> =>
  tx.query('UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2', [organizationId, userId, role]);

export const removeMember = (tx: EntityManager, organizationId: string, userId: string): Promise<unknown> =>
  tx.query('DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2', [organizationId, userId]);
