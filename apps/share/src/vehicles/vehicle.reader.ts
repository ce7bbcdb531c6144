import { Inject, Injectable } from '@nestjs/common';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, FairTurns, type Clock } from '@tire/kernel';
import { batched, Database, LEDGER, setSubject, turnDeadline, type PromiseClient } from '@tire/platform';
import { isToken } from '../domain/link';
import { vehicleLinkStatus } from '../domain/vehicle-link';
import { tokenDigest } from '../links/link.store';
import { nullWhenNotFound } from '../links/not-found';
import { RenderCache } from '../page/render-cache';
import { publicFace, type PublicFace } from '../partner/public-face';
import { findVehicleLinks, type FoundVehicleLink } from './vehicle-link.store';

export interface OpenVehicle {
  readonly status: 'active';
  readonly projectId: string;
  readonly vehicle: ledgerApi.GetPublishedVehicleResponse;
  readonly showsPlate: boolean;
  readonly partner: PublicFace;
}

/** `discarded`: no report of the vehicle is left. */
type VehicleState = OpenVehicle | { readonly status: 'unknown' | 'revoked' | 'expired' | 'discarded' };

/** Vehicles that are read from the ledger at once, half of them for one project. A view costs six queries there. */
const READS_AT_ONCE = 16;
/** Views of one project that wait. Further ones get 503. */
const WAITING_OF_PROJECT = 64;

/**
 * Decides what a visitor with a token may see now. This service keeps no copy of a vehicle: the ledger is asked at each view, so a page follows
 * merges, splits and discarded reports without an event. Views of one vehicle that come at once share one answer.
 */
@Injectable()
export class VehicleReader {
  private readonly linkOf: (digest: Buffer) => Promise<FoundVehicleLink | undefined>;
  private readonly turns = new FairTurns({ capacity: READS_AT_ONCE, ofKey: READS_AT_ONCE / 2, waitingOfKey: WAITING_OF_PROJECT });
  private readonly reading: RenderCache<ledgerApi.GetPublishedVehicleResponse | null>;

  constructor(
    database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.linkOf = batched((digests) => findVehicleLinks(database, digests));
    this.reading = new RenderCache(1, () => this.clock.now().getTime());
  }

  async open(token: string): Promise<VehicleState> {
    const link = isToken(token) ? await this.linkOf(tokenDigest(token)) : undefined;
    if (!link) return { status: 'unknown' };
    setSubject({ projectId: link.projectId });
    const status = vehicleLinkStatus(link, this.clock.now());
    if (status !== 'active') return { status };
    const { projectId, vehicleId, showsPlate } = link;
    // Nothing is kept: the answer goes to those who wait for it.
    const vehicle = await this.reading.get(`${projectId} ${vehicleId}`, async () => ({
      value: await this.turns.run(projectId, () => this.ledger.getPublishedVehicle({ projectId, vehicleId }).catch(nullWhenNotFound), {
        untilMs: turnDeadline(),
      }),
      bytes: 1,
      untilMs: 0,
    }));
    if (vehicle === null) return { status: 'discarded' };
    return { status, projectId, vehicle, showsPlate, partner: publicFace(link.partner, null) };
  }
}
