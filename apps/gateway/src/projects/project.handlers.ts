import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { PartnerService } from './partner.service';
import { ProjectsService } from './projects.service';

@Injectable()
export class ProjectHandlers {
  constructor(
    private readonly projects: ProjectsService,
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
  } satisfies Partial<OperationHandlers>;
}
