import { newId } from '@tire/kernel';
import type { Role } from '@tire/contracts/console';
import type { Tx } from '@tire/platform';
import { refuseDuplicate, requireOrganization } from '../../organizations/organization.store';

export interface User {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly totpSecret: Buffer | null;
  readonly totpPending: Buffer | null;
  readonly totpLastStep: number;
}

export interface MembershipRow {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
}

const SELECT_USER = `
  SELECT user_id AS "userId", email, name, password_hash AS "passwordHash", totp_secret AS "totpSecret",
         totp_pending AS "totpPending", totp_last_step::int AS "totpLastStep" FROM users`;

export async function findUserByEmail(tx: Tx, email: string): Promise<User | null> {
  const [user] = await tx.rows<User>(`${SELECT_USER} WHERE email = $1`, [email]);
  return user ?? null;
}

export async function findUser(tx: Tx, userId: string): Promise<User> {
  const [user] = await tx.rows<User>(`${SELECT_USER} WHERE user_id = $1`, [userId]);
  if (!user) throw new Error('There is no such user');
  return user;
}

/** Of two changes that count what a user has, one waits for the other. */
export const lockUser = (tx: Tx, userId: string): Promise<unknown[]> =>
  tx.rows('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId]);

export async function createUser(tx: Tx, user: { email: string; name: string; passwordHash: string | null }): Promise<string> {
  const userId = newId();
  await refuseDuplicate('A user with this address exists already.', () =>
    tx.execute('INSERT INTO users (user_id, email, name, password_hash) VALUES ($1, lower($2), $3, $4)', [
      userId,
      user.email,
      user.name,
      user.passwordHash,
    ]),
  );
  return userId;
}

export async function addMember(tx: Tx, organizationId: string, userId: string, role: Role): Promise<void> {
  await requireOrganization(tx, organizationId);
  await tx.execute(
    'INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (organization_id, user_id) DO NOTHING',
    [organizationId, userId, role],
  );
}

export const membershipsOf = (tx: Tx, userId: string): Promise<MembershipRow[]> =>
  tx.rows(
    `SELECT organization_id AS "organizationId", name AS "organizationName", role
       FROM memberships JOIN organizations USING (organization_id) WHERE user_id = $1 ORDER BY name, organization_id`,
    [userId],
  );

export const setName = (tx: Tx, userId: string, name: string): Promise<number> =>
  tx.execute('UPDATE users SET name = $2 WHERE user_id = $1', [userId, name]);

export const setPasswordHash = (tx: Tx, userId: string, passwordHash: string): Promise<number> =>
  tx.execute('UPDATE users SET password_hash = $2 WHERE user_id = $1', [userId, passwordHash]);

/** False if another password was set in the meantime: hashing takes a while. */
export async function replacePasswordHash(tx: Tx, userId: string, before: string | null, passwordHash: string): Promise<boolean> {
  const sql = 'UPDATE users SET password_hash = $3 WHERE user_id = $1 AND password_hash IS NOT DISTINCT FROM $2';
  const changed = await tx.execute(sql, [userId, before, passwordHash]);
  return changed === 1;
}

export const setPendingTotp = (tx: Tx, userId: string, secret: Buffer): Promise<number> =>
  tx.execute('UPDATE users SET totp_pending = $2 WHERE user_id = $1', [userId, secret]);

/** False if another request did so in the meantime and returned its recovery codes. */
export async function enableTotp(tx: Tx, userId: string, pending: Buffer, step: number): Promise<boolean> {
  const count = await tx.execute(
    `UPDATE users SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $3 WHERE user_id = $1 AND totp_pending = $2`,
    [userId, pending, step],
  );
  return count === 1;
}

/** False if the user had none. */
export async function disableTotp(tx: Tx, userId: string): Promise<boolean> {
  const [before] = await tx.rows<{ had: boolean }>(
    `UPDATE users u SET totp_secret = NULL, totp_pending = NULL
     FROM (SELECT user_id, totp_secret IS NOT NULL AS had FROM users WHERE user_id = $1 FOR UPDATE) before
     WHERE u.user_id = before.user_id RETURNING before.had`,
    [userId],
  );
  return before?.had ?? false;
}

/** False if another request used the code, or a later one, in the meantime. */
export async function useTotpStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const count = await tx.execute('UPDATE users SET totp_last_step = $2 WHERE user_id = $1 AND totp_last_step < $2', [userId, step]);
  return count === 1;
}
