import type { Tx } from '@tire/platform';
import { digestOf } from '../secrets';

/** A user has one link at most: a new one replaces the earlier one. */
export const issuePasswordReset = (tx: Tx, userId: string, token: string, expiresAt: Date): Promise<number> =>
  tx.execute(
    `INSERT INTO password_resets (user_id, digest, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at`,
    [userId, digestOf(token), expiresAt],
  );

export async function findPasswordReset(tx: Tx, token: string, now: Date): Promise<boolean> {
  const rows = await tx.rows('SELECT FROM password_resets WHERE digest = $1 AND expires_at > $2', [digestOf(token), now]);
  return rows.length === 1;
}

/** Returns the user; null if the link was used meanwhile, replaced, or is too old. */
export async function usePasswordReset(tx: Tx, token: string, now: Date): Promise<string | null> {
  const sql = 'DELETE FROM password_resets WHERE digest = $1 AND expires_at > $2 RETURNING user_id AS "userId"';
  const [row] = await tx.rows<{ userId: string }>(sql, [digestOf(token), now]);
  return row?.userId ?? null;
}
