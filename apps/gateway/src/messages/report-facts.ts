import type { Report } from '@tire/contracts/api';
import type { shareApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PublicationService } from '../reports/publication.service';
import { ReportReader } from '../reports/report.reader';

/** By the names of the placeholders. */
export interface ShopFacts {
  readonly plate: string | null;
  readonly shop: string | null;
  readonly shop_phone: string | null;
  readonly shop_address: string | null;
  readonly shop_hours: string | null;
}

export type Facts = ShopFacts & { readonly link: string };

/** What a message says about a report and its shop, as on the share page. */
@Injectable()
export class ReportFacts {
  constructor(
    private readonly reader: ReportReader,
    private readonly publication: PublicationService,
    @Inject(SHARE) private readonly pages: PromiseClient<shareApi.ShareServiceClient>,
  ) {}

  async of(projectId: string, reportId: string): Promise<Facts> {
    const [facts, share] = await Promise.all([this.ofShop(projectId, reportId), this.publication.share(projectId, reportId)]);
    if (share.status !== 'active' || share.share_url === null) throw missing('share', 'The share page is not open.');
    return { ...facts, link: share.share_url };
  }

  async ofShop(projectId: string, reportId: string): Promise<ShopFacts> {
    const { body } = await this.reader.report(projectId, reportId);
    const { vehicle, branch_id: branchId } = JSON.parse(String(body)) as Pick<Report, 'vehicle' | 'branch_id'>;
    const { face } = await this.pages.getFace({ projectId, branchId: branchId ?? undefined });
    return {
      plate: vehicle.plate_number ?? null,
      shop: face?.name ?? null,
      shop_phone: face?.phone ?? null,
      shop_address: face?.address ?? null,
      shop_hours: face?.openingHours ?? null,
    };
  }
}

/** What has to be there before a message can be sent. */
export const missing = (param: string, message: string): DomainError => new DomainError('conflict', { param, message });
