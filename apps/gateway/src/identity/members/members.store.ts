import type { Role } from '@tire/contracts/console';
import type { Tx } from '@tire/platform';

export interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly joinedAt: Date;
}

export const listMembers = (tx: Tx, organizationId: string): Promise<MemberRow[]> =>
  tx.rows(
    `SELECT user_id AS "userId", email, name, role, totp_secret IS NOT NULL AS "totpEnabled", memberships.created_at AS "joinedAt"
       FROM memberships JOIN users USING (user_id) WHERE organization_id = $1 ORDER BY email`,
    [organizationId],
  );

export async function isMember(tx: Tx, organizationId: string, email: string): Promise<boolean> {
  const rows = await tx.rows('SELECT FROM memberships JOIN users USING (user_id) WHERE organization_id = $1 AND email = $2', [
    organizationId,
    email,
  ]);
  return rows.length > 0;
}

/** The row of the organization is the lock: if two owners remove each other at the same time, one of them stays. */
export const lockMembers = (tx: Tx, organizationId: string): Promise<unknown[]> =>
  tx.rows('SELECT FROM organizations WHERE organization_id = $1 FOR NO KEY UPDATE', [organizationId]);

export const setRole = (tx: Tx, organizationId: string, userId: string, role: Role): Promise<number> =>
  tx.execute('UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2', [organizationId, userId, role]);

export const removeMember = (tx: Tx, organizationId: string, userId: string): Promise<number> =>
  tx.execute('DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2', [organizationId, userId]);
