import type { Tx } from '@tire/platform';
import { recoveryCodeDigest } from '../../domain/recovery-codes';

export const deleteRecoveryCodes = (tx: Tx, userId: string): Promise<number> =>
  tx.execute('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);

export async function storeRecoveryCodes(tx: Tx, userId: string, codes: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.execute('INSERT INTO recovery_codes (user_id, digest) SELECT $1, unnest($2::bytea[])', [userId, codes.map(recoveryCodeDigest)]);
}

/** False if there is no such code or it was used: of two concurrent sign-ins with one code, one succeeds. */
export async function useRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const count = await tx.execute('UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND digest = $2 AND used_at IS NULL', [
    userId,
    recoveryCodeDigest(code),
    now,
  ]);
  return count === 1;
}

export async function countRecoveryCodes(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.rows<{ left: number }>('SELECT count(*)::int AS left FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL', [
    userId,
  ]);
  return row?.left ?? 0;
}
