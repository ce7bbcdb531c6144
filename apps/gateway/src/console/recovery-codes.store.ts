import type { EntityManager } from 'typeorm';
import { recoveryCodeDigest } from '../domain/recovery-codes';

export const forgetRecoveryCodes = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);

export async function keepRecoveryCodes(tx: EntityManager, userId: string, codes: readonly string[]): Promise<void> {
  await forgetRecoveryCodes(tx, userId);
  await tx.query('INSERT INTO recovery_codes (user_id, digest) SELECT $1, unnest($2::bytea[])', [userId, codes.map(recoveryCodeDigest)]);
}

/** False where there is none such, or it was used: of two who use one at once, one comes in. */
export async function useRecoveryCode(tx: EntityManager, userId: string, code: string, now: Date): Promise<boolean> {
  const [rows] = await tx.query<[unknown[], number]>(
    'UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND digest = $2 AND used_at IS NULL RETURNING user_id',
    [userId, recoveryCodeDigest(code), now],
  );
  return rows.length === 1;
}

export async function countRecoveryCodes(tx: EntityManager, userId: string): Promise<number> {
  const [row] = await tx.query<{ left: number }[]>(
    'SELECT count(*)::int AS left FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
    [userId],
  );
  return row?.left ?? 0;
}
