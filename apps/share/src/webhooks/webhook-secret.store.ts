import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import { randomBytes } from 'node:crypto';

export interface SecretLifetime {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

const VALID = 'FROM webhook_secrets WHERE project_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC';
const INSERT = 'INSERT INTO webhook_secrets (id, project_id, secret, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';

/** Standard Webhooks recommends 24 to 64 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
export const isWebhookSecret = (text: string): boolean => SECRET.test(text);

/** The new secret signs at once. Earlier secrets sign too until the overlap ends. Setting the current secret again changes nothing. */
export async function replaceSecret(tx: Tx, projectId: string, secret: string, now: Date, overlapMs: number): Promise<void> {
  const current = 'SELECT 1 FROM webhook_secrets WHERE project_id = $1 AND secret = $2 AND expires_at IS NULL';
  if ((await tx.rows(current, [projectId, secret])).length > 0) return;
  // No earlier secret gets more time than this rotation gives: without an overlap only the new one signs.
  const expiresAt = new Date(now.getTime() + overlapMs);
  await tx.execute('UPDATE webhook_secrets SET expires_at = LEAST(expires_at, $2) WHERE project_id = $1', [projectId, expiresAt]);
  await tx.execute('INSERT INTO webhook_secrets (id, project_id, secret, created_at) VALUES ($1, $2, $3, $4)', [
    newId(),
    projectId,
    secret,
    now,
  ]);
}

/** When the valid secrets were made and when they expire. This may be shown; the secrets may not. */
export const secretLifetimes = (tx: Tx, projectId: string, now: Date): Promise<SecretLifetime[]> =>
  tx.rows<SecretLifetime>(`SELECT created_at AS "createdAt", expires_at AS "expiresAt" ${VALID}`, [projectId, now]);

/** The valid secrets, newest first. Creates the first secret of a project, so that no callback is sent without a signature. */
export async function currentSecrets(tx: Tx, projectId: string, now: Date): Promise<string[]> {
  const valid = async () => (await tx.rows<{ secret: string }>(`SELECT secret ${VALID}`, [projectId, now])).map(({ secret }) => secret);
  const secrets = await valid();
  if (secrets.length > 0) return secrets;
  await tx.execute(INSERT, [newId(), projectId, newWebhookSecret(), now]);
  return valid();
}
