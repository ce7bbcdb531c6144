import type { Role } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import { digestOf } from '../secrets';

export interface InvitationRow {
  readonly invitationId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const SELECT = `
  SELECT invitation_id AS "invitationId", organization_id AS "organizationId", organizations.name AS "organizationName",
         invitations.email, role, users.email AS "invitedBy", invitations.created_at AS "createdAt", expires_at AS "expiresAt"
    FROM invitations JOIN organizations USING (organization_id) JOIN users ON users.user_id = invited_by
   WHERE closed_at IS NULL`;

/** A new invitation closes the open one of the same address. */
export async function insertInvitation(
  tx: Tx,
  invitation: { organizationId: string; email: string; role: Role; token: string; invitedBy: string; now: Date; expiresAt: Date },
): Promise<string> {
  const { organizationId, email, role, token, invitedBy, now, expiresAt } = invitation;
  await tx.execute('UPDATE invitations SET closed_at = $3 WHERE organization_id = $1 AND email = $2 AND closed_at IS NULL', [
    organizationId,
    email,
    now,
  ]);
  const invitationId = newId();
  await tx.execute(
    `INSERT INTO invitations (invitation_id, organization_id, email, role, digest, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [invitationId, organizationId, email, role, digestOf(token), invitedBy, now, expiresAt],
  );
  return invitationId;
}

export async function findInvitation(tx: Tx, token: string, now: Date): Promise<InvitationRow | null> {
  const [row] = await tx.rows<InvitationRow>(`${SELECT} AND digest = $1 AND expires_at > $2`, [digestOf(token), now]);
  return row ?? null;
}

/** Locks the row: if two requests use the invitation at the same time, the second one finds it closed. */
export async function lockInvitation(tx: Tx, invitationId: string, now: Date): Promise<InvitationRow | null> {
  const statement = `${SELECT} AND invitation_id = $1 AND expires_at > $2 FOR UPDATE OF invitations`;
  const [row] = await tx.rows<InvitationRow>(statement, [invitationId, now]);
  return row ?? null;
}

export const listInvitations = (tx: Tx, organizationId: string, now: Date): Promise<InvitationRow[]> =>
  tx.rows(`${SELECT} AND organization_id = $1 AND expires_at > $2 ORDER BY invitation_id DESC`, [organizationId, now]);

/** Returns the invited address; null if the invitation is closed already or belongs to another organization. */
export async function closeInvitation(tx: Tx, organizationId: string, invitationId: string, now: Date): Promise<string | null> {
  const rows = await tx.rows<{ email: string }>(
    `UPDATE invitations SET closed_at = $3 WHERE organization_id = $1 AND invitation_id = $2 AND closed_at IS NULL AND expires_at > $3
     RETURNING email`,
    [organizationId, invitationId, now],
  );
  return rows[0]?.email ?? null;
}
