import { newId } from '@tire/kernel';
import type { EntityManager } from 'typeorm';
import type { Client } from './client';
import { digestOf, newToken } from './secrets';

export type Stage = 'code' | 'full';

export interface SessionRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly stage: Stage;
  readonly csrfToken: string;
  readonly createdAt: Date;
  readonly rotatedAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
  readonly email: string;
  /** The token came that was replaced a moment ago: requests that were under way then. */
  readonly replaced: boolean;
  /** What its user joins once the code was right. */
  readonly invitationId: string | null;
  /** What was right before the code, if it was no password. */
  readonly firstWith: 'openid' | null;
}

export interface NewSession {
  readonly userId: string;
  readonly stage: Stage;
  readonly client: Client;
  readonly invitationId?: string;
  readonly firstWith?: 'openid';
}

const COLUMNS = `session_id AS "sessionId", user_id AS "userId", stage, csrf_token AS "csrfToken",
  sessions.created_at AS "createdAt", rotated_at AS "rotatedAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", address,
  user_agent AS "userAgent", email, invitation_id AS "invitationId", first_with AS "firstWith"`;

/** A new row and a new token whatever was there before: what a stranger planted in a browser never becomes a session. */
export async function startSession(
  tx: EntityManager,
  session: NewSession & { now: Date; expiresAt: Date },
): Promise<{ sessionId: string; token: string }> {
  const { userId, stage, client, invitationId = null, firstWith = null, now, expiresAt } = session;
  const [sessionId, token] = [newId(), newToken()];
  await tx.query(
    `INSERT INTO sessions (session_id, user_id, stage, digest, csrf_token, created_at, rotated_at, last_seen_at, expires_at, address, user_agent,
       invitation_id, first_with)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $6, $7, $8, $9, $10, $11)`,
    [sessionId, userId, stage, digestOf(token), newToken(), now, expiresAt, client.address, client.userAgent, invitationId, firstWith],
  );
  return { sessionId, token };
}

export async function findSession(tx: EntityManager, token: string, replacedAfter: Date): Promise<SessionRow | null> {
  const [row] = await tx.query<SessionRow[]>(
    `SELECT ${COLUMNS}, digest <> $1 AS replaced FROM sessions JOIN users USING (user_id)
      WHERE digest = $1 OR (previous_digest = $1 AND rotated_at > $2)`,
    [digestOf(token), replacedAfter],
  );
  return row ?? null;
}

/** Null where another request did so first: its answer brings the new token. */
export async function rotateToken(tx: EntityManager, token: string, now: Date): Promise<string | null> {
  const fresh = newToken();
  const [rows] = await tx.query<[unknown[], number]>(
    'UPDATE sessions SET previous_digest = digest, digest = $2, rotated_at = $3 WHERE digest = $1 RETURNING session_id',
    [digestOf(token), digestOf(fresh), now],
  );
  return rows.length === 1 ? fresh : null;
}

export const touchSession = (tx: EntityManager, sessionId: string, client: Client, now: Date): Promise<unknown> =>
  tx.query('UPDATE sessions SET last_seen_at = $2, address = $3, user_agent = $4 WHERE session_id = $1', [
    sessionId,
    now,
    client.address,
    client.userAgent,
  ]);

export const listSessions = (tx: EntityManager, userId: string, now: Date, seenAfter: Date): Promise<SessionRow[]> =>
  tx.query(
    `SELECT ${COLUMNS}, false AS replaced FROM sessions JOIN users USING (user_id)
      WHERE user_id = $1 AND stage = 'full' AND expires_at > $2 AND last_seen_at > $3 ORDER BY last_seen_at DESC`,
    [userId, now, seenAfter],
  );

/** False where the user has no such session. */
export async function endSession(tx: EntityManager, userId: string, sessionId: string): Promise<boolean> {
  const [, count] = await tx.query<[unknown[], number]>('DELETE FROM sessions WHERE user_id = $1 AND session_id = $2', [userId, sessionId]);
  return count === 1;
}

export const endOtherSessions = (tx: EntityManager, userId: string, keptSessionId: string | null): Promise<unknown> =>
  tx.query('DELETE FROM sessions WHERE user_id = $1 AND session_id IS DISTINCT FROM $2', [userId, keptSessionId]);

/** How many there are with it: of guesses that come at once, each is another one. */
export async function countFailedCode(tx: EntityManager, sessionId: string): Promise<number> {
  const [rows] = await tx.query<[{ failedCodes: number }[], number]>(
    'UPDATE sessions SET failed_codes = failed_codes + 1 WHERE session_id = $1 RETURNING failed_codes AS "failedCodes"',
    [sessionId],
  );
  return rows[0]?.failedCodes ?? 0;
}

export const removeExpiredSessions = (tx: EntityManager, now: Date, seenAfter: Date): Promise<unknown> =>
  tx.query('DELETE FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2', [now, seenAfter]);
