import { CreatedVehicleLink, VehicleLink, VehicleLinkList, type CreateVehicleLinkRequest } from '@tire/contracts/console';
import type { shareApi } from '@tire/contracts/grpc';
import { Database, SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { findActors, type NamedActor } from '../audit/actors.store';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';

/** Links to the public pages of vehicles, which share owns. No audit entry and no log contains an address. */
@Injectable()
export class VehicleLinksService {
  constructor(
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  async list(projectId: string, vehicleId: string): Promise<VehicleLinkList> {
    const { links } = await this.share.listVehicleLinks({ projectId, vehicleId });
    const names = await this.names(links);
    return VehicleLinkList.parse({ links: links.map((link) => shown(link, names)) });
  }

  async create(
    caller: ProjectMember,
    vehicleId: string,
    { shows_plate: showsPlate }: CreateVehicleLinkRequest,
  ): Promise<CreatedVehicleLink> {
    const work = this.share.createVehicleLink({ projectId: caller.projectId, vehicleId, showsPlate });
    const { link, url } = await this.audit.after(caller, work, (made) => ({
      action: 'vehicle.link_created',
      subject: vehicleId,
      details: { link: made.link!.linkId, shows_plate: String(showsPlate) },
    }));
    return CreatedVehicleLink.parse({ ...shown(link!, await this.names([link!])), url });
  }

  async revoke(caller: ProjectMember, vehicleId: string, linkId: string): Promise<VehicleLink> {
    const work = this.share.revokeVehicleLink({ projectId: caller.projectId, vehicleId, linkId });
    const { link } = await this.audit.after(caller, work, {
      action: 'vehicle.link_revoked',
      subject: vehicleId,
      details: { link: linkId },
    });
    return VehicleLink.parse(shown(link!, await this.names([link!])));
  }

  private names(links: readonly shareApi.VehicleLink[]): Promise<Map<string, NamedActor>> {
    return findActors(
      this.database,
      links.map(({ createdBy }) => createdBy),
    );
  }
}

const shown = (link: shareApi.VehicleLink, names: ReadonlyMap<string, NamedActor>): object => ({
  link_id: link.linkId,
  status: link.status,
  shows_plate: link.showsPlate,
  created_at: link.createdAt,
  created_by: names.get(link.createdBy) ?? null,
  expires_at: link.expiresAt,
  revoked_at: link.revokedAt ?? null,
});
