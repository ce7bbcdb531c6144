import type { Report } from '@tire/contracts/api';
import { DomainError } from '@tire/kernel';
import { Injectable } from '@nestjs/common';
import { BranchesService } from '../projects/branches.service';
import { PartnerService } from '../projects/partner.service';
import { PublicationService } from '../reports/publication.service';
import { ReportReader } from '../reports/report.reader';

export interface ShopFacts {
  readonly plate: string | null;
  readonly shop: string | null;
  readonly shopPhone: string | null;
}

export type Facts = ShopFacts & { readonly link: string };

/** What a message says about a report and its shop: as on the share page the branch, and what it leaves open from the project. */
@Injectable()
export class ReportFacts {
  constructor(
    private readonly reader: ReportReader,
    private readonly publication: PublicationService,
    private readonly partners: PartnerService,
    private readonly branches: BranchesService,
  ) {}

  async of(projectId: string, reportId: string): Promise<Facts> {
    const [facts, share] = await Promise.all([this.ofShop(projectId, reportId), this.publication.share(projectId, reportId)]);
    if (share.status !== 'active' || share.share_url === null) throw missing('share', 'The share page is not open.');
    return { ...facts, link: share.share_url };
  }

  async ofShop(projectId: string, reportId: string): Promise<ShopFacts> {
    const [report, partner] = await Promise.all([this.reader.report(projectId, reportId), this.partners.one(projectId)]);
    const { vehicle, branch_id: branchId } = JSON.parse(String(report.body)) as Pick<Report, 'vehicle' | 'branch_id'>;
    const branch = branchId ? await this.branches.one(projectId, branchId) : null;
    return {
      plate: vehicle.plate_number ?? null,
      shop: branch?.name ?? partner.name,
      shopPhone: branch?.phone ?? partner.phone,
    };
  }
}

/** What has to be there before a message can be sent. */
export const missing = (param: string, message: string): DomainError => new DomainError('conflict', { param, message });
