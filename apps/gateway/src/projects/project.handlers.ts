import type { ledgerApi } from '@tire/contracts/grpc';
import { LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
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
    private readonly audit: Audit,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
  ) {}

  readonly handlers = {
    listProjects: ({ caller }) => this.projects.list(caller.organizationId),
    createProject: ({ caller, body }) => this.projects.create(caller, body),
    getProject: ({ caller }) => this.projects.one(caller.projectId),
    renameProject: ({ caller, body }) => this.projects.rename(caller, body.name),
    changeTimeZone: ({ caller, body }) => this.timeZones.change(caller, body.time_zone),
    changeKakaoKey: ({ caller, body }) => this.projects.changeKakaoKey(caller, body.kakao_key),
    listBranches: ({ caller }) => this.branches.list(caller.projectId),
    createBranch: ({ caller, body }) => this.branches.create(caller, body),
    changeBranch: ({ caller, params, body }) => this.branches.change(caller, params.branch_id, body),
    changeBranchLogo: ({ caller, params, body }) => this.branches.changeLogo(caller, params.branch_id, body.image),
    removeBranchLogo: ({ caller, params }) => this.branches.removeLogo(caller, params.branch_id),
    getPartner: ({ caller }) => this.partners.one(caller.projectId),
    changePartner: ({ caller, body }) => this.partners.change(caller, body),
    getTrainingUse: async ({ caller: { projectId } }) => ({ is_allowed: (await this.ledger.getTrainingUse({ projectId })).isAllowed }),
    changeTrainingUse: async ({ caller, body }) => {
      const work = this.ledger.setTrainingUse({ projectId: caller.projectId, isAllowed: body.is_allowed });
      await this.audit.after(caller, work, { action: 'training_use.changed', details: { allowed: String(body.is_allowed) } });
      return body;
    },
    changeLogo: ({ caller, body }) => this.partners.changeLogo(caller, body.image),
    removeLogo: ({ caller }) => this.partners.removeLogo(caller),
  } satisfies Partial<OperationHandlers>;
}
