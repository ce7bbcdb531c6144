import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { KeysService } from '../keys/keys.service';
import { PartnerService } from './partner.service';
import { ProjectsService } from './projects.service';

@Injectable()
export class ProjectHandlers {
  constructor(
    private readonly projects: ProjectsService,
    private readonly keys: KeysService,
    private readonly partners: PartnerService,
  ) {}

  readonly handlers = {
    listProjects: ({ caller }) => this.projects.list(caller.organizationId),
    createProject: ({ caller, body }) => this.projects.create(caller, body),
    getProject: ({ caller }) => this.projects.one(caller.projectId),
    renameProject: ({ caller, body }) => this.projects.rename(caller, body.name),
    getPartner: ({ caller }) => this.partners.one(caller.projectId),
    changePartner: ({ caller, body }) => this.partners.change(caller, body),
    changeLogo: ({ caller, body }) => this.partners.changeLogo(caller, body.image),
    removeLogo: ({ caller }) => this.partners.removeLogo(caller),
    listKeys: ({ caller }) => this.keys.list(caller.projectId),
    issueKey: ({ caller, body }) => this.keys.issue(caller, body),
    revokeKey: ({ caller, params }) => this.keys.revoke(caller, params.key_id),
  } satisfies Partial<OperationHandlers>;
}
