import type { EntityManager } from 'typeorm';
import type { Identity } from './openid.provider';
import { findUser, type User } from './users.store';

/** Whoever signed in with it before: the address of an account may change hands, its subject does not. */
export async function findUserByIdentity(tx: EntityManager, { issuer, subject }: Identity): Promise<User | null> {
  const [row] = await tx.query<{ userId: string }[]>(
    'SELECT user_id AS "userId" FROM openid_identities WHERE issuer = $1 AND subject = $2',
    [issuer, subject],
  );
  return row ? findUser(tx, row.userId) : null;
}

export async function isConnected(tx: EntityManager, userId: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>('SELECT FROM openid_identities WHERE user_id = $1', [userId]);
  return rows.length > 0;
}

export const forgetIdentities = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.query('DELETE FROM openid_identities WHERE user_id = $1', [userId]);

/** False where the user is another subject's there already. */
export async function bindIdentity(tx: EntityManager, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    'INSERT INTO openid_identities (issuer, subject, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING user_id',
    [issuer, subject, userId],
  );
  return rows.length === 1;
}
