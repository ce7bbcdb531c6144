import type { ChangePartnerRequest, Partner } from '@tire/contracts/console';
import type { shareApi } from '@tire/contracts/grpc';
import { SHARE } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';

/** Longer than for other calls: the logo waits for its turn and is decoded. */
export const LOGO_DEADLINE_MS = 20_000;

/** The partner settings of a share page. The share service stores them, because it draws the pages. */
@Injectable()
export class PartnerService {
  constructor(
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly audit: Audit,
  ) {}

  async one(projectId: string): Promise<Partner> {
    return shown((await this.share.getPartner({ projectId })).partner);
  }

  async change(caller: ProjectMember, { name, phone, address, opening_hours: openingHours }: ChangePartnerRequest): Promise<Partner> {
    const work = this.share.changePartner({
      projectId: caller.projectId,
      name: name ?? undefined,
      phone: phone ?? undefined,
      address: address === null ? '' : address,
      openingHours: openingHours === null ? '' : openingHours,
    });
    const { partner } = await this.audit.after(caller, work, (changed) => ({
      action: 'partner.changed',
      details: {
        name: changed.partner?.name ?? '',
        phone: changed.partner?.phone ?? '',
        address: changed.partner?.address ?? '',
        opening_hours: changed.partner?.openingHours ?? '',
      },
    }));
    return shown(partner);
  }

  async changeLogo(caller: ProjectMember, image: string): Promise<Partner> {
    const request = { projectId: caller.projectId, image: Buffer.from(image, 'base64') };
    const work = this.share.changeLogo(request, { deadlineMs: LOGO_DEADLINE_MS });
    return shown((await this.audit.after(caller, work, { action: 'partner.logo_changed' })).partner);
  }

  async removeLogo(caller: ProjectMember): Promise<void> {
    await this.audit.after(caller, this.share.changeLogo({ projectId: caller.projectId }), { action: 'partner.logo_removed' });
  }
}

const shown = (partner: shareApi.Partner | undefined): Partner => ({
  name: partner?.name ?? null,
  phone: partner?.phone ?? null,
  address: partner?.address ?? null,
  opening_hours: partner?.openingHours ?? null,
  logo: shownLogo(partner?.logo),
});

export const shownLogo = (logo: shareApi.PartnerLogo | undefined): Partner['logo'] =>
  logo ? { url: logo.url ?? null, width_px: logo.widthPx, height_px: logo.heightPx } : null;
