import type { Tx } from '@tire/platform';
import type { Identity } from './openid.provider';
import { findUser, type User } from '../accounts/users.store';

/** Identities are found by issuer and subject: an e-mail address may get another owner, a subject does not. */
export async function findUserByIdentity(tx: Tx, { issuer, subject }: Identity): Promise<User | null> {
  const [row] = await tx.rows<{ userId: string }>('SELECT user_id AS "userId" FROM openid_identities WHERE issuer = $1 AND subject = $2', [
    issuer,
    subject,
  ]);
  return row ? findUser(tx, row.userId) : null;
}

export async function isConnected(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.rows('SELECT FROM openid_identities WHERE user_id = $1', [userId]);
  return rows.length > 0;
}

export const deleteIdentities = (tx: Tx, userId: string): Promise<number> =>
  tx.execute('DELETE FROM openid_identities WHERE user_id = $1', [userId]);

/** False if the identity, or the user at this issuer, is bound already. */
export async function bindIdentity(tx: Tx, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const rows = await tx.rows(
    'INSERT INTO openid_identities (issuer, subject, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING user_id',
    [issuer, subject, userId],
  );
  return rows.length === 1;
}
