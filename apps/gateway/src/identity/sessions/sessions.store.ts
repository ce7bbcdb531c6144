import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import type { Client } from '../../edge/client';
import { digestOf, newToken } from '../secrets';

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
  /** The request carries the token that was replaced a moment ago. */
  readonly replaced: boolean;
  /** The organization that the user joins after the code. */
  readonly invitationId: string | null;
  /** The first factor, if it was not a password. */
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

/** Always a new row and a new token: a token that an attacker placed in the browser never becomes a session. */
export async function startSession(
  tx: Tx,
  session: NewSession & { now: Date; expiresAt: Date },
): Promise<{ sessionId: string; token: string }> {
  const { userId, stage, client, invitationId = null, firstWith = null, now, expiresAt } = session;
  const [sessionId, token] = [newId(), newToken()];
  await tx.execute(
    `INSERT INTO sessions (session_id, user_id, stage, digest, csrf_token, created_at, rotated_at, last_seen_at, expires_at, address, user_agent,
       invitation_id, first_with)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $6, $7, $8, $9, $10, $11)`,
    [sessionId, userId, stage, digestOf(token), newToken(), now, expiresAt, client.address, client.userAgent, invitationId, firstWith],
  );
  return { sessionId, token };
}

export async function findSession(tx: Tx, token: string, replacedAfter: Date): Promise<SessionRow | null> {
  const [row] = await tx.rows<SessionRow>(
    `SELECT ${COLUMNS}, digest <> $1 AS replaced FROM sessions JOIN users USING (user_id)
      WHERE digest = $1 OR (previous_digest = $1 AND rotated_at > $2)`,
    [digestOf(token), replacedAfter],
  );
  return row ?? null;
}

/** Null if another request rotated it first: the response to that one sets the new token. */
export async function rotateToken(tx: Tx, token: string, now: Date): Promise<string | null> {
  const fresh = newToken();
  const count = await tx.execute('UPDATE sessions SET previous_digest = digest, digest = $2, rotated_at = $3 WHERE digest = $1', [
    digestOf(token),
    digestOf(fresh),
    now,
  ]);
  return count === 1 ? fresh : null;
}

export const touchSession = (tx: Tx, sessionId: string, client: Client, now: Date): Promise<number> =>
  tx.execute('UPDATE sessions SET last_seen_at = $2, address = $3, user_agent = $4 WHERE session_id = $1', [
    sessionId,
    now,
    client.address,
    client.userAgent,
  ]);

export const listSessions = (tx: Tx, userId: string, now: Date, seenAfter: Date): Promise<SessionRow[]> =>
  tx.rows(
    `SELECT ${COLUMNS}, false AS replaced FROM sessions JOIN users USING (user_id)
      WHERE user_id = $1 AND stage = 'full' AND expires_at > $2 AND last_seen_at > $3 ORDER BY last_seen_at DESC`,
    [userId, now, seenAfter],
  );

/** False if the user has no such session. */
export async function endSession(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
  const count = await tx.execute('DELETE FROM sessions WHERE user_id = $1 AND session_id = $2', [userId, sessionId]);
  return count === 1;
}

export const endOtherSessions = (tx: Tx, userId: string, exceptSessionId: string | null): Promise<number> =>
  tx.execute('DELETE FROM sessions WHERE user_id = $1 AND session_id IS DISTINCT FROM $2', [userId, exceptSessionId]);

/** Returns the number of failures, this one included: concurrent guesses all count. */
/** Whether it is still there, for what must not happen after a recovery ended every session. */
export async function hasSession(tx: Tx, sessionId: string): Promise<boolean> {
  const rows = await tx.rows('SELECT FROM sessions WHERE session_id = $1', [sessionId]);
  return rows.length === 1;
}

export async function countFailedCode(tx: Tx, sessionId: string): Promise<number> {
  const rows = await tx.rows<{ failedCodes: number }>(
    'UPDATE sessions SET failed_codes = failed_codes + 1 WHERE session_id = $1 RETURNING failed_codes AS "failedCodes"',
    [sessionId],
  );
  return rows[0]?.failedCodes ?? 0;
}

export const removeExpiredSessions = (tx: Tx, now: Date, seenAfter: Date): Promise<number> =>
  tx.execute('DELETE FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2', [now, seenAfter]);
