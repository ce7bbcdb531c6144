import type { AuditLog, Organization } from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../tokens';
import { auditEntries, recordDeed, type Actor } from './audit.store';
import { idCursor, pageOf, type Page } from './page';
import { isProjectOf } from './membership';

interface Row {
  readonly name: string;
  readonly createdAt: Date;
}

@Injectable()
export class Organizations {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  one(organizationId: string): Promise<Organization> {
    return this.database.asSystem((tx) => this.read(tx, organizationId));
  }

  rename(organizationId: string, actor: Actor, name: string): Promise<Organization> {
    return this.database.asSystem(async (tx) => {
      const before = await this.read(tx, organizationId);
      await tx.query('UPDATE organizations SET name = $2 WHERE organization_id = $1', [organizationId, name]);
      const details = { from: before.name, to: name };
      await recordDeed(tx, organizationId, actor, { action: 'organization.renamed', details }, this.clock.now());
      return { ...before, name };
    });
  }

  async auditLog(organizationId: string, projectId: string | null, page: Page): Promise<AuditLog> {
    const before = idCursor(page);
    const found = await this.database.asSystem(async (tx) => {
      if (projectId !== null && !(await isProjectOf(tx, organizationId, projectId))) throw new DomainError('not_found');
      return auditEntries(tx, organizationId, projectId, before, page.limit + 1);
    });
    const { rows, next } = pageOf(found, page, ({ entryId }) => entryId);
    const entries = rows.map(({ entryId, at, actorId, actorEmail, action, projectId, subject, details, address }) => ({
      entry_id: entryId,
      at: at.toISOString(),
      actor: actorId !== null && actorEmail !== null ? { user_id: actorId, email: actorEmail } : null,
      action,
      project_id: projectId,
      subject,
      details,
      address,
    }));
    return { entries, next_cursor: next };
  }

  private async read(tx: EntityManager, organizationId: string): Promise<Organization> {
    const [row] = await tx.query<Row[]>('SELECT name, created_at AS "createdAt" FROM organizations WHERE organization_id = $1', [
      organizationId,
    ]);
    if (!row) throw new Error('A member of an organization that does not exist');
    return { organization_id: organizationId, name: row.name, created_at: row.createdAt.toISOString() };
  }
}
