import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { BranchesService } from './branches.service';
import { PartnerService } from './partner.service';
import { ProjectsService } from './projects.service';
import { TimeZonesService } from './time-zones.service';

@Injectable()
export class ProjectHandlers {
  constructor(
    private readonly projects: ProjectsService,
    private readonly partners: PartnerService,
    private readonly branches: BranchesService,
    private readonly timeZones: TimeZonesService,
  ) {}

  readonly handlers = {
    listProjects: ({ caller }) => this.projects.list(caller.organizationId),
    createProject: ({ caller, body }) => this.projects.create(caller, body),
    getProject: ({ caller }) => this.projects.one(caller.projectId),
    renameProject: ({ caller, body }) => this.projects.rename(caller, body.name),
    changeTimeZone: ({ caller, body }) => this.timeZones.change(caller, body.time_zone),
    listBranches: ({ caller }) => this.branches.list(caller.projectId),
    createBranch: ({ caller, body }) => this.branches.create(caller, body),
    changeBranch: ({ caller, params, body }) => this.branches.change(caller, params.branch_id, body),
    changeBranchLogo: ({ caller, params, body }) => this.branches.changeLogo(caller, params.branch_id, body.image),
    removeBranchLogo: ({ caller, params }) => this.branches.removeLogo(caller, params.branch_id),
    getPartner: ({ caller }) => this.partners.one(caller.projectId),
    changePartner: ({ caller, body }) => this.partners.change(caller, body),
    changeLogo: ({ caller, body }) => this.partners.changeLogo(caller, body.image),
    removeLogo: ({ caller }) => this.partners.removeLogo(caller),
  } satisfies Partial<OperationHandlers>;
}
