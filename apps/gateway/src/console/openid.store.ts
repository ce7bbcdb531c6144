import type { EntityManager } from 'typeorm';
import type { Challenge, Identity } from './openid.provider';
import { digestOf, newToken } from './secrets';
import { findUser, type User } from './users.store';

/** The token stays with the browser that begins: an answer that comes to another one fits nothing. */
export async function keepChallenge(tx: EntityManager, { state, nonce, codeVerifier }: Challenge, expiresAt: Date): Promise<string> {
  const token = newToken();
  await tx.query('INSERT INTO openid_challenges (digest, state, nonce, code_verifier, expires_at) VALUES ($1, $2, $3, $4, $5)', [
    digestOf(token),
    state,
    nonce,
    codeVerifier,
    expiresAt,
  ]);
  return token;
}

/** Once: whatever comes of the answer, the next one needs another. Those that nobody came back for go along. */
export async function takeChallenge(tx: EntityManager, token: string, now: Date): Promise<Challenge | null> {
  const [rows] = await tx.query<[(Challenge & { expiresAt: Date; digest: Buffer })[], number]>(
    `DELETE FROM openid_challenges WHERE digest = $1 OR expires_at <= $2
     RETURNING digest, state, nonce, code_verifier AS "codeVerifier", expires_at AS "expiresAt"`,
    [digestOf(token), now],
  );
  return rows.find(({ digest, expiresAt }) => digest.equals(digestOf(token)) && expiresAt > now) ?? null;
}

/** Whoever signed in with it before: the address of an account may change hands, its subject does not. */
export async function findUserByIdentity(tx: EntityManager, { issuer, subject }: Identity): Promise<User | null> {
  const [row] = await tx.query<{ userId: string }[]>(
    'SELECT user_id AS "userId" FROM openid_identities WHERE issuer = $1 AND subject = $2',
    [issuer, subject],
  );
  return row ? findUser(tx, row.userId) : null;
}

/** False where the user is another subject's there already. */
export async function bindIdentity(tx: EntityManager, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    'INSERT INTO openid_identities (issuer, subject, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING user_id',
    [issuer, subject, userId],
  );
  return rows.length === 1;
}
