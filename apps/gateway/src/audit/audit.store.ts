import type { AuditedAction } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';

/** The user who did something, and from where. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly address: string;
}

export interface AuditedChange {
  readonly action: AuditedAction;
  readonly projectId?: string;
  readonly subject?: string;
  readonly details?: Readonly<Record<string, string>>;
}

const COLUMNS = '(entry_id, organization_id, at, actor_id, actor_email, action, project_id, subject, details, address)';

/** Runs in the transaction of the change, so that every change has an entry. The operator at the command line is no user: null. */
export const recordChange = (tx: Tx, organizationId: string, actor: Actor | null, change: AuditedChange, now: Date): Promise<number> =>
  tx.execute(`INSERT INTO audit_log ${COLUMNS} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
    newId(now.getTime()),
    organizationId,
    now,
    actor?.userId ?? null,
    actor?.email ?? null,
    change.action,
    change.projectId ?? null,
    change.subject ?? null,
    JSON.stringify(change.details ?? {}),
    actor?.address ?? '',
  ]);

/** A change of a user's own account is recorded in every organization of the user. */
export const recordInEveryOrganization = (tx: Tx, actor: Actor, change: AuditedChange, now: Date): Promise<void> =>
  recordOfAccount(tx, actor.userId, actor, change, now);

/** The same for a change by the operator. */
export const recordByOperator = (
  tx: Tx,
  { userId, email }: Pick<Actor, 'userId' | 'email'>,
  action: AuditedAction,
  now: Date,
): Promise<void> => recordOfAccount(tx, userId, null, { action, subject: email }, now);

async function recordOfAccount(tx: Tx, userId: string, actor: Actor | null, change: AuditedChange, now: Date): Promise<void> {
  const rows = await tx.rows<{ id: string }>('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [userId]);
  for (const { id } of rows) await recordChange(tx, id, actor, change, now);
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

/** Newest first; only of one project if it is given. */
export const auditEntries = (
  tx: Tx,
  organizationId: string,
  projectId: string | undefined,
  before: string | undefined,
  limit: number,
): Promise<AuditRow[]> =>
  tx.rows(
    `SELECT entry_id AS "entryId", at, actor_id AS "actorId", actor_email AS "actorEmail", action, project_id AS "projectId", subject,
            details, address
       FROM audit_log
      WHERE organization_id = $1 AND ($2::uuid IS NULL OR project_id = $2) AND ($3::uuid IS NULL OR entry_id < $3)
      ORDER BY entry_id DESC LIMIT $4`,
    [organizationId, projectId ?? null, before ?? null, limit],
  );
