import type { AuditedAction } from '@tire/contracts';
import { newId } from '@tire/kernel';
import type { EntityManager } from 'typeorm';

export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly address: string;
}

export interface Deed {
  readonly action: AuditedAction;
  readonly projectId?: string;
  readonly subject?: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** In the transaction of the deed: nothing is done without a trace. */
export const recordDeed = (tx: EntityManager, organizationId: string, actor: Actor, deed: Deed, now: Date): Promise<unknown> =>
  tx.query(INSERT, [
    newId(now.getTime()),
    organizationId,
    now,
    actor.userId,
    actor.email,
    deed.action,
    deed.projectId ?? null,
    deed.subject ?? null,
    JSON.stringify(deed.details ?? {}),
    actor.address,
  ]);

const INSERT = `
  INSERT INTO audit_log (entry_id, organization_id, at, actor_id, actor_email, action, project_id, subject, details, address)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** What a user does to his own account is told to every organization that he belongs to. */
export async function recordEverywhere(tx: EntityManager, actor: Actor, deed: Deed, now: Date): Promise<void> {
  const rows = await tx.query<{ id: string }[]>('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [actor.userId]);
  for (const { id } of rows) await recordDeed(tx, id, actor, deed, now);
}

export interface AuditRow {
  readonly entryId: string;
  readonly at: Date;
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly action: AuditedAction;
  readonly projectId: string | null;
  readonly subject: string | null;
  readonly details: Record<string, string>;
  readonly address: string;
}

/** Newest first; of one project, if one is named. */
export const auditEntries = (
  tx: EntityManager,
  organizationId: string,
  projectId: string | null,
  before: string | null,
  limit: number,
): Promise<AuditRow[]> =>
  tx.query(
    `SELECT entry_id AS "entryId", at, actor_id AS "actorId", actor_email AS "actorEmail", action, project_id AS "projectId", subject,
            details, address
       FROM audit_log
      WHERE organization_id = $1 AND ($2::uuid IS NULL OR project_id = $2) AND ($3::uuid IS NULL OR entry_id < $3)
      ORDER BY entry_id DESC LIMIT $4`,
    [organizationId, projectId, before, limit],
  );
