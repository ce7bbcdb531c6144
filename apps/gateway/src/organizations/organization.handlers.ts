import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { MembersService } from '../identity/members/members.service';
import { OrganizationsService } from './organizations.service';

@Injectable()
export class OrganizationHandlers {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
  ) {}

  readonly handlers = {
    getOrganization: ({ caller }) => this.organizations.one(caller.organizationId),
    renameOrganization: ({ caller, body }) => this.organizations.rename(caller, body.name),
    listMembers: ({ caller }) => this.members.list(caller.organizationId),
    changeRole: ({ caller, params, body }) => this.members.change(caller, params.user_id, body.role),
    removeMember: ({ caller, params }) => this.members.change(caller, params.user_id, null),
  } satisfies Partial<OperationHandlers>;
}
