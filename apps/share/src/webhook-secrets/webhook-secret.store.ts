import { newId } from '@tire/kernel';
import { type Logger, sealedColumn, type SealingKeys, type Tx } from '@tire/platform';
import { randomBytes } from 'node:crypto';

export interface SecretLifetime {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export interface StoredSecret {
  readonly id: string;
  readonly secret: Buffer;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

const VALID = 'FROM webhook_secrets WHERE project_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC';
const CURRENT = 'SELECT id, secret FROM webhook_secrets WHERE project_id = $1 AND expires_at IS NULL';
const INSERT = 'INSERT INTO webhook_secrets (id, project_id, secret, created_at) VALUES ($1, $2, $3, $4)';

/** Standard Webhooks recommends 24 to 64 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
export const isWebhookSecret = (text: string): boolean => SECRET.test(text);

export const WEBHOOK_SECRET = sealedColumn({ table: 'webhook_secrets', column: 'secret', key: ['id'] });

export function sealedSecret(keys: SealingKeys, projectId: string, secret: string): StoredSecret {
  const id = newId();
  return { id, secret: WEBHOOK_SECRET.seal(keys, { projectId, id }, secret) };
}

export const openSecret = (keys: SealingKeys, projectId: string, { id, secret }: StoredSecret): string =>
  WEBHOOK_SECRET.open(keys, { projectId, id }, secret).toString();

/** The receiver accepts a callback that one of its secrets signed, so a secret that cannot be opened stops no callback. */
export const openedSecrets = (
  keys: SealingKeys,
  projectId: string,
  stored: readonly StoredSecret[],
  log: Pick<Logger, 'error'>,
): string[] =>
  stored.flatMap((secret) => {
    try {
      return [openSecret(keys, projectId, secret)];
    } catch (error) {
      log.error({ err: error, project_id: projectId, secret_id: secret.id }, 'A webhook secret cannot be opened');
      return [];
    }
  });

/** The new secret signs at once. Earlier secrets sign too until the overlap ends. Setting the current secret again changes nothing. */
export async function replaceSecret(
  tx: Tx,
  keys: SealingKeys,
  projectId: string,
  secret: string,
  now: Date,
  overlapMs: number,
): Promise<void> {
  const [current] = await tx.rows<StoredSecret>(CURRENT, [projectId]);
  if (current && isSecret(keys, projectId, current, secret)) return;
  // No earlier secret gets more time than this rotation gives: without an overlap only the new one signs.
  const expiresAt = new Date(now.getTime() + overlapMs);
  await tx.execute('UPDATE webhook_secrets SET expires_at = LEAST(expires_at, $2) WHERE project_id = $1', [projectId, expiresAt]);
  const stored = sealedSecret(keys, projectId, secret);
  await tx.execute(INSERT, [stored.id, projectId, stored.secret, now]);
}

/** A secret that cannot be opened can be replaced. */
function isSecret(keys: SealingKeys, projectId: string, stored: StoredSecret, secret: string): boolean {
  try {
    return openSecret(keys, projectId, stored) === secret;
  } catch {
    return false;
  }
}

/** When the valid secrets were made and when they expire. This may be shown; the secrets may not. */
export const secretLifetimes = (tx: Tx, projectId: string, now: Date): Promise<SecretLifetime[]> =>
  tx.rows<SecretLifetime>(`SELECT created_at AS "createdAt", expires_at AS "expiresAt" ${VALID}`, [projectId, now]);

/** The valid secrets, newest first. Creates the first secret of a project, so that no callback is sent without a signature. */
export async function currentSecrets(tx: Tx, keys: SealingKeys, projectId: string, now: Date): Promise<StoredSecret[]> {
  const valid = () => tx.rows<StoredSecret>(`SELECT id, secret ${VALID}`, [projectId, now]);
  const secrets = await valid();
  if (secrets.length > 0) return secrets;
  const first = sealedSecret(keys, projectId, newWebhookSecret());
  await tx.execute(`${INSERT} ON CONFLICT DO NOTHING`, [first.id, projectId, first.secret, now]);
  return valid();
}
