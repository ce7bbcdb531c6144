import { Inject, Injectable } from '@nestjs/common';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, isUuid, newId, type Clock } from '@tire/kernel';
import { currentActor, Database, LEDGER, turnDeadline, type PromiseClient } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import type { Config } from '../config';
import { OPEN_LINKS_MAX, vehicleLinkStatus } from '../domain/vehicle-link';
import { vehicleUrl } from '../links/addresses';
import { tokenDigest } from '../links/link.store';
import { CONFIG } from '../tokens';
import { countOpenLinks, insertVehicleLink, listVehicleLinks, revokeVehicleLink, type StoredVehicleLink } from './vehicle-link.store';

const TOKEN_BYTES = 32;
const DAY_MS = 86_400_000;
/** Links of a project are made one after the other, so that none exceeds the limit. */
const RECORD = 'vehicle links';

interface VehicleKey {
  readonly projectId: string;
  readonly vehicleId: string;
}

/**
 * The requests of members about links to the pages of vehicles. The ledger says whether the vehicle exists, and which ones were merged into it:
 * their links lead to it, so they are listed and revoked as its own.
 */
@Injectable()
export class VehicleLinkService {
  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create({ projectId, vehicleId, showsPlate }: shareApi.CreateVehicleLinkRequest): Promise<shareApi.CreateVehicleLinkResponse> {
    const members = await this.members({ projectId, vehicleId });
    const now = this.clock.now();
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const link: StoredVehicleLink = {
      linkId: newId(now.getTime()),
      projectId,
      vehicleId,
      showsPlate,
      createdAt: now,
      createdBy: currentActor() ?? 'service:share',
      expiresAt: new Date(now.getTime() + this.config.SHARE_LINK_LIFETIME_DAYS * DAY_MS),
      revokedAt: null,
    };
    await this.database.withRecord(
      projectId,
      RECORD,
      async (tx) => {
        if ((await countOpenLinks(tx, members, now)) >= OPEN_LINKS_MAX)
          throw new DomainError('conflict', { message: `A vehicle has at most ${OPEN_LINKS_MAX} open links.` });
        await insertVehicleLink(tx, link, tokenDigest(token));
      },
      turnDeadline(),
    );
    return { link: this.shown(link), url: vehicleUrl(this.config, token) };
  }

  async list(request: shareApi.ListVehicleLinksRequest): Promise<shareApi.ListVehicleLinksResponse> {
    const members = await this.members(request);
    const links = await this.database.withProject(request.projectId, (tx) => listVehicleLinks(tx, members, this.clock.now()));
    return { links: links.map((link) => this.shown(link)) };
  }

  async revoke({ linkId, ...request }: shareApi.RevokeVehicleLinkRequest): Promise<shareApi.RevokeVehicleLinkResponse> {
    const members = await this.members(request);
    const now = this.clock.now();
    const link = isUuid(linkId)
      ? await this.database.withProject(request.projectId, (tx) => revokeVehicleLink(tx, members, linkId, now))
      : undefined;
    if (!link) throw new DomainError('not_found');
    return { link: this.shown(link) };
  }

  private async members({ projectId, vehicleId }: VehicleKey): Promise<readonly string[]> {
    if (!isUuid(projectId) || !isUuid(vehicleId)) throw new DomainError('not_found');
    return [vehicleId, ...(await this.ledger.getPublishedVehicle({ projectId, vehicleId })).vehicleIds];
  }

  private shown(link: StoredVehicleLink): shareApi.VehicleLink {
    return {
      linkId: link.linkId,
      status: vehicleLinkStatus(link, this.clock.now()),
      showsPlate: link.showsPlate,
      createdAt: link.createdAt.toISOString(),
      createdBy: link.createdBy,
      expiresAt: link.expiresAt.toISOString(),
      revokedAt: link.revokedAt?.toISOString(),
    };
  }
}
