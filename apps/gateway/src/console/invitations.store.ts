import type { Role } from '@tire/contracts';
import { newId } from '@tire/kernel';
import type { EntityManager } from 'typeorm';
import { digestOf } from './secrets';

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

/** Of one address only the last invitation is good. */
export async function insertInvitation(
  tx: EntityManager,
  invitation: { organizationId: string; email: string; role: Role; token: string; invitedBy: string; now: Date; expiresAt: Date },
): Promise<string> {
  const { organizationId, email, role, token, invitedBy, now, expiresAt } = invitation;
  await tx.query('UPDATE invitations SET closed_at = $3 WHERE organization_id = $1 AND email = $2 AND closed_at IS NULL', [
    organizationId,
    email,
    now,
  ]);
  const invitationId = newId();
  await tx.query(
    `INSERT INTO invitations (invitation_id, organization_id, email, role, digest, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [invitationId, organizationId, email, role, digestOf(token), invitedBy, now, expiresAt],
  );
  return invitationId;
}

export async function findInvitation(tx: EntityManager, token: string, now: Date): Promise<InvitationRow | null> {
  const [row] = await tx.query<InvitationRow[]>(`${SELECT} AND digest = $1 AND expires_at > $2`, [digestOf(token), now]);
  return row ?? null;
}

/** Locked: of two who use it at once the other one finds it closed. */
export async function lockInvitation(tx: EntityManager, invitationId: string, now: Date): Promise<InvitationRow | null> {
  const statement = `${SELECT} AND invitation_id = $1 AND expires_at > $2 FOR UPDATE OF invitations`;
  const [row] = await tx.query<InvitationRow[]>(statement, [invitationId, now]);
  return row ?? null;
}

export const listInvitations = (tx: EntityManager, organizationId: string, now: Date): Promise<InvitationRow[]> =>
  tx.query(`${SELECT} AND organization_id = $1 AND expires_at > $2 ORDER BY invitation_id DESC`, [organizationId, now]);

/** The address that it was for; null where it is closed already, or another organization's. */
export async function closeInvitation(tx: EntityManager, organizationId: string, invitationId: string, now: Date): Promise<string | null> {
  const [rows] = await tx.query<[{ email: string }[], number]>(
    `UPDATE invitations SET closed_at = $3 WHERE organization_id = $1 AND invitation_id = $2 AND closed_at IS NULL AND expires_at > $3
     RETURNING email`,
    [organizationId, invitationId, now],
  );
  return rows[0]?.email ?? null;
}
