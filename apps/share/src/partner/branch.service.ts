import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { BRANCH_LIMITS } from '@tire/contracts/limits';
import { CLOCK, DomainError, isUuid, newId, type Clock } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { branchTexts } from '../domain/partner';
import { findBranch, insertBranch, listBranches, saveBranchLogo, updateBranch, type StoredBranch } from './branch.store';
import { Logos, PARTNER_RECORD } from './logos';

interface BranchAnswer {
  readonly branch: shareApi.Branch;
}

/** The branches of a project. None is ever deleted: pages of old reports show it, also after it was archived. */
@Injectable()
export class BranchService {
  constructor(
    private readonly database: Database,
    private readonly logos: Logos,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ projectId }: shareApi.ListBranchesRequest): Promise<shareApi.ListBranchesResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const stored = await this.database.withProject(projectId, (tx) => listBranches(tx, projectId));
    return { branches: await Promise.all(stored.map((branch) => this.shown(projectId, branch))) };
  }

  async get({ projectId, branchId }: shareApi.GetBranchRequest): Promise<BranchAnswer> {
    if (!isUuid(projectId) || !isUuid(branchId)) throw new DomainError('not_found');
    const stored = await this.database.withProject(projectId, (tx) => findBranch(tx, projectId, branchId));
    return { branch: await this.shown(projectId, required(stored)) };
  }

  /** Creations of a project run one after the other, so that none exceeds the limit. */
  async save({ projectId, branchId, texts, archived }: shareApi.SaveBranchRequest): Promise<BranchAnswer> {
    if (!isUuid(projectId) || (branchId !== undefined && !isUuid(branchId))) throw new DomainError('not_found');
    const named = branchTexts(texts ?? { name: '' });
    const now = this.clock.now();
    const id = branchId ?? newId(now.getTime());
    const work = async (tx: Tx): Promise<StoredBranch | null> => {
      if (branchId === undefined) {
        if ((await listBranches(tx, projectId)).length >= BRANCH_LIMITS.branches)
          throw new DomainError('conflict', { message: `A project has at most ${BRANCH_LIMITS.branches} branches.` });
        await insertBranch(tx, projectId, id, named, now);
      } else await updateBranch(tx, projectId, id, named, archived ? now : null);
      return findBranch(tx, projectId, id);
    };
    const stored = await this.database.withRecord(projectId, PARTNER_RECORD, work, turnDeadline());
    return { branch: await this.shown(projectId, required(stored)) };
  }

  async changeLogo({ projectId, branchId, image }: shareApi.ChangeBranchLogoRequest): Promise<BranchAnswer> {
    // Nothing is uploaded for a branch that does not exist.
    await this.get({ projectId, branchId });
    await this.logos.change(projectId, image, async (tx, logo) => {
      const { logo: before } = required(await findBranch(tx, projectId, branchId));
      await saveBranchLogo(tx, projectId, branchId, logo);
      return before;
    });
    return this.get({ projectId, branchId });
  }

  private async shown(projectId: string, branch: StoredBranch): Promise<shareApi.Branch> {
    const { branchId, name, phone, address, openingHours, logo, archivedAt, createdAt } = branch;
    return {
      branchId,
      texts: { name, phone: phone ?? undefined, address: address ?? undefined, openingHours: openingHours ?? undefined },
      logo: await this.logos.shown(projectId, logo),
      archivedAt: archivedAt?.toISOString(),
      createdAt: createdAt.toISOString(),
    };
  }
}

function required(branch: StoredBranch | null): StoredBranch {
  if (!branch) throw new DomainError('not_found');
  return branch;
}
