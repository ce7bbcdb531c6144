import { Injectable } from '@nestjs/common';
import { newId } from '@tire/kernel';
import { randomBytes } from 'node:crypto';
import { Column, Entity, type EntityManager, IsNull, PrimaryColumn } from 'typeorm';

@Entity({ name: 'webhook_secrets' })
export class WebhookSecret {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  @Column({ type: 'text' })
  secret: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** Standard Webhooks asks for 24 to 64 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
export const isWebhookSecret = (text: string): boolean => SECRET.test(text);

@Injectable()
export class WebhookSecretsStore {
  /** The new secret signs at once, those before it beside it until the overlap ends. Setting the current one again changes nothing. */
  async replace(tx: EntityManager, projectId: string, secret: string, now: Date, overlapMs: number): Promise<void> {
    if (await tx.existsBy(WebhookSecret, { projectId, secret, expiresAt: IsNull() })) return;
    // None is given more time than this rotation gives: with an overlap of nothing, only the new one signs.
    await tx.query('UPDATE webhook_secrets SET expires_at = LEAST(expires_at, $2) WHERE project_id = $1', [
      projectId,
      new Date(now.getTime() + overlapMs),
    ]);
    await tx.insert(WebhookSecret, { id: newId(), projectId, secret, createdAt: now, expiresAt: null });
  }

  /** When those that sign now were made, and how long they do: what may be shown of them. */
  lives(tx: EntityManager, projectId: string, now: Date): Promise<Pick<WebhookSecret, 'createdAt' | 'expiresAt'>[]> {
    return tx.query(
      `SELECT created_at AS "createdAt", expires_at AS "expiresAt" FROM webhook_secrets
        WHERE project_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC`,
      [projectId, now],
    );
  }

  /** Those that sign now, newest first. A project that never set one gets its first here, so that nothing is sent unsigned. */
  async current(tx: EntityManager, projectId: string, now: Date): Promise<string[]> {
    const sql =
      'SELECT secret FROM webhook_secrets WHERE project_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC';
    const found = await tx.query<{ secret: string }[]>(sql, [projectId, now]);
    if (found.length > 0) return found.map(({ secret }) => secret);
    const first = { id: newId(), projectId, secret: newWebhookSecret(), createdAt: now, expiresAt: null };
    await tx.createQueryBuilder().insert().into(WebhookSecret).values(first).orIgnore().execute();
    return (await tx.query<{ secret: string }[]>(sql, [projectId, now])).map(({ secret }) => secret);
  }
}
