import type { Branch, BranchList, ChangeBranchRequest, CreateBranchRequest } from '@tire/contracts/console';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { DomainError, faulty } from '@tire/kernel';
import { SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';
import { LOGO_DEADLINE_MS, shownLogo } from './partner.service';

/** A branch that was archived in another process takes reports for so long. */
const KNOWN_MS = 5_000;
const KNOWN_MAX = 1_000;

/** The branches of a project. The share service owns them, because its pages show them. */
@Injectable()
export class BranchesService {
  private readonly known = new LRUCache<string, Pick<Branch, 'archived_at'>>({ max: KNOWN_MAX, ttl: KNOWN_MS });

  constructor(
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly audit: Audit,
  ) {}

  async list(projectId: string): Promise<BranchList> {
    return { branches: (await this.share.listBranches({ projectId })).branches.map(shown) };
  }

  async one(projectId: string, branchId: string): Promise<Branch> {
    return shown((await this.share.getBranch({ projectId, branchId })).branch);
  }

  async create(caller: ProjectMember, request: CreateBranchRequest): Promise<Branch> {
    const work = this.share.saveBranch({ projectId: caller.projectId, texts: textsOf(request), archived: false });
    const { branch } = await this.audit.after(caller, work, (created) => ({
      action: 'branch.created',
      subject: created.branch?.branchId ?? '',
      details: { name: request.name },
    }));
    return shown(branch);
  }

  async change(caller: ProjectMember, branchId: string, request: ChangeBranchRequest): Promise<Branch> {
    const { projectId } = caller;
    const before = await this.one(projectId, branchId);
    const work = this.share.saveBranch({ projectId, branchId, texts: textsOf(request), archived: request.archived });
    const action =
      request.archived === (before.archived_at !== null) ? 'branch.changed' : request.archived ? 'branch.archived' : 'branch.restored';
    const { branch } = await this.audit.after(caller, work, { action, subject: branchId, details: { name: request.name } });
    this.known.delete(keyOf(projectId, branchId));
    return shown(branch);
  }

  async changeLogo(caller: ProjectMember, branchId: string, image: string): Promise<Branch> {
    const request = { projectId: caller.projectId, branchId, image: Buffer.from(image, 'base64') };
    const work = this.share.changeBranchLogo(request, { deadlineMs: LOGO_DEADLINE_MS });
    return shown((await this.audit.after(caller, work, { action: 'branch.logo_changed', subject: branchId })).branch);
  }

  async removeLogo(caller: ProjectMember, branchId: string): Promise<void> {
    const work = this.share.changeBranchLogo({ projectId: caller.projectId, branchId });
    await this.audit.after(caller, work, { action: 'branch.logo_removed', subject: branchId });
  }

  /** What a creation that names a branch tells the ledger. Another project's branch is as unknown as one that does not exist. */
  async ofCreation(projectId: string, branchId: string): Promise<Pick<ledgerApi.CreateReportRequest, 'branchId' | 'isBranchArchived'>> {
    const id = branchId.toLowerCase();
    const key = keyOf(projectId, id);
    let branch = this.known.get(key);
    if (!branch) {
      branch = await this.one(projectId, id).catch(unknownBranch);
      this.known.set(key, branch);
    }
    return { branchId: id, isBranchArchived: branch.archived_at !== null };
  }
}

const keyOf = (projectId: string, branchId: string): string => `${projectId} ${branchId}`;

function unknownBranch(error: unknown): never {
  throw error instanceof DomainError && error.code === 'not_found' ? faulty('branch_id', 'is no id of a branch of the project.') : error;
}

const textsOf = ({ name, phone, address, opening_hours }: CreateBranchRequest): shareApi.BranchTexts => ({
  name,
  phone: phone ?? undefined,
  address: address ?? undefined,
  openingHours: opening_hours ?? undefined,
});

function shown(branch: shareApi.Branch | undefined): Branch {
  if (!branch?.texts) throw new Error('The share service answered without a branch');
  const { branchId, texts, logo, archivedAt, createdAt } = branch;
  return {
    branch_id: branchId,
    name: texts.name,
    phone: texts.phone ?? null,
    address: texts.address ?? null,
    opening_hours: texts.openingHours ?? null,
    logo: shownLogo(logo),
    archived_at: archivedAt ?? null,
    created_at: createdAt,
  };
}
