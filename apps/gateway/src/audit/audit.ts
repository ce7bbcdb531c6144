import type { AuditLog } from '@tire/contracts/console';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { isMember, type ProjectCaller } from '../edge/callers';
import { pageOf } from '../edge/page';
import { isProjectOf } from '../projects/project.store';
import { auditEntries, recordChange, type AuditedChange } from './audit.store';

/** Null where the result says that nothing changed. */
type ChangeOf<T> = Omit<AuditedChange, 'projectId'> | ((result: T) => Omit<AuditedChange, 'projectId'> | null);

/** What members did. Requests of API keys are in the request log instead. */
@Injectable()
export class Audit {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Records what a member does in another service, after the other service did it. */
  async after<T>(caller: ProjectCaller, work: Promise<T>, changeOf: ChangeOf<T>): Promise<T> {
    const result = await work;
    const change = typeof changeOf === 'function' ? changeOf(result) : changeOf;
    if (!isMember(caller) || !change) return result;
    const { organizationId, actor, projectId } = caller;
    await this.database.asSystem((tx) => recordChange(tx, organizationId, actor, { ...change, projectId }, this.clock.now()));
    return result;
  }

  async list(
    organizationId: string,
    { project_id: projectId, cursor, limit }: { project_id?: string; cursor?: string; limit: number },
  ): Promise<AuditLog> {
    const found = await this.database.asSystem(async (tx) => {
      if (projectId !== undefined && !(await isProjectOf(tx, organizationId, projectId))) throw new DomainError('not_found');
      return auditEntries(tx, organizationId, projectId, cursor, limit + 1);
    });
    const { rows, next } = pageOf(found, limit, ({ entryId }) => entryId);
    const entries = rows.map(({ entryId, at, actorId, actorEmail, action, subject, details, address, ...row }) => ({
      entry_id: entryId,
      at: at.toISOString(),
      actor: actorId !== null && actorEmail !== null ? { user_id: actorId, email: actorEmail } : null,
      action,
      project_id: row.projectId,
      subject,
      details,
      address,
    }));
    return { entries, next_cursor: next };
  }
}
