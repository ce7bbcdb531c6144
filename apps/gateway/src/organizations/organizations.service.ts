import type { AuditLog, Organization } from '@tire/contracts/console';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntries, recordChange } from '../audit/audit.store';
import type { MemberCaller } from '../edge/callers';
import { pageOf } from '../edge/page';
import { isProjectOf } from '../projects/project.store';
import { renameOrganization, requireOrganization, type OrganizationRow } from './organization.store';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async one(organizationId: string): Promise<Organization> {
    return shown(organizationId, await this.database.asSystem((tx) => requireOrganization(tx, organizationId)));
  }

  rename({ organizationId, actor }: MemberCaller, name: string): Promise<Organization> {
    return this.database.asSystem(async (tx) => {
      const before = await requireOrganization(tx, organizationId);
      await renameOrganization(tx, organizationId, name);
      const details = { from: before.name, to: name };
      await recordChange(tx, organizationId, actor, { action: 'organization.renamed', details }, this.clock.now());
      return shown(organizationId, { ...before, name });
    });
  }

  async auditLog(
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

const shown = (organizationId: string, { name, createdAt }: OrganizationRow): Organization => ({
  organization_id: organizationId,
  name,
  created_at: createdAt.toISOString(),
});
