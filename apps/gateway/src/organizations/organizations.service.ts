import type { Organization } from '@tire/contracts/console';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import type { MemberCaller } from '../edge/callers';
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
}

const shown = (organizationId: string, { name, createdAt }: OrganizationRow): Organization => ({
  organization_id: organizationId,
  name,
  created_at: createdAt.toISOString(),
});
