import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';

export interface Passkey {
  readonly passkeyId: string;
  readonly userId: string;
  /** Base64url, as browsers send it. */
  readonly credentialId: string;
  readonly publicKey: Buffer;
  /** How often the authenticator says that it signed; 0 where it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  /** A copy is kept by the provider of the person, so it survives the device. */
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const COLUMNS = `passkey_id AS "passkeyId", user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
  counter::float8 AS counter, transports, name, is_synced AS "isSynced", created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

export const passkeysOf = (tx: Tx, userId: string): Promise<Passkey[]> =>
  tx.rows(`SELECT ${COLUMNS} FROM passkeys WHERE user_id = $1 ORDER BY created_at`, [userId]);

/** Locked, so that of two uses with one count only one is right. */
export async function lockPasskey(tx: Tx, credentialId: string): Promise<Passkey | null> {
  const [row] = await tx.rows<Passkey>(`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = $1 FOR UPDATE`, [credentialId]);
  return row ?? null;
}

type NewPasskey = Omit<Passkey, 'passkeyId' | 'lastUsedAt'>;

/** Null where a passkey with this id is registered already. */
export async function addPasskey(tx: Tx, passkey: NewPasskey): Promise<Passkey | null> {
  const { userId, credentialId, publicKey, counter, transports, name, isSynced, createdAt } = passkey;
  const passkeyId = newId();
  const added = await tx.execute(
    `INSERT INTO passkeys (passkey_id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (credential_id) DO NOTHING`,
    [passkeyId, userId, credentialId, publicKey, counter, transports, name, isSynced, createdAt],
  );
  return added === 1 ? { ...passkey, passkeyId, lastUsedAt: null } : null;
}

/** Null where the user has none with this id. Returns the name before. */
export async function renamePasskey(tx: Tx, userId: string, passkeyId: string, name: string): Promise<string | null> {
  const [row] = await tx.rows<{ before: string }>(
    `UPDATE passkeys SET name = $3 FROM (SELECT name AS before FROM passkeys WHERE passkey_id = $1 FOR UPDATE) old
      WHERE passkey_id = $1 AND user_id = $2 RETURNING before`,
    [passkeyId, userId, name],
  );
  return row?.before ?? null;
}

export async function removePasskey(tx: Tx, userId: string, passkeyId: string): Promise<string | null> {
  const [row] = await tx.rows<{ name: string }>('DELETE FROM passkeys WHERE passkey_id = $1 AND user_id = $2 RETURNING name', [
    passkeyId,
    userId,
  ]);
  return row?.name ?? null;
}

/** For a recovery of the account: whoever had it may have added some. */
export const deletePasskeys = (tx: Tx, userId: string): Promise<number> => tx.execute('DELETE FROM passkeys WHERE user_id = $1', [userId]);

export const noteUse = (tx: Tx, { passkeyId }: Passkey, counter: number, isSynced: boolean, now: Date): Promise<number> =>
  tx.execute('UPDATE passkeys SET counter = $2, is_synced = $3, last_used_at = $4 WHERE passkey_id = $1', [
    passkeyId,
    counter,
    isSynced,
    now,
  ]);

/** register: a new passkey. sign_in: in place of the password. second_factor: in place of a one-time code. */
export type Purpose = 'register' | 'sign_in' | 'second_factor';

export interface Challenge {
  readonly challenge: string;
  readonly purpose: Purpose;
  /** Null before the user is known. */
  readonly userId: string | null;
  readonly sessionId: string | null;
}

/** Old ones are deleted in passing, so that the table holds those of some minutes. */
export async function storeChallenge(
  tx: Tx,
  { challenge, purpose, userId, sessionId }: Challenge,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await tx.execute(
    'DELETE FROM passkey_challenges WHERE challenge IN (SELECT challenge FROM passkey_challenges WHERE expires_at <= $1 LIMIT 100 FOR UPDATE SKIP LOCKED)',
    [now],
  );
  await tx.execute('INSERT INTO passkey_challenges (challenge, purpose, user_id, session_id, expires_at) VALUES ($1, $2, $3, $4, $5)', [
    challenge,
    purpose,
    userId,
    sessionId,
    expiresAt,
  ]);
}

/** A challenge is used once, right or wrong. */
export async function takeChallenge(tx: Tx, challenge: string, now: Date): Promise<Challenge | null> {
  const [row] = await tx.rows<Challenge>(
    `DELETE FROM passkey_challenges WHERE challenge = $1 AND expires_at > $2
      RETURNING challenge, purpose, user_id AS "userId", session_id AS "sessionId"`,
    [challenge, now],
  );
  return row ?? null;
}
