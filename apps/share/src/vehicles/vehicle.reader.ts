import { Inject, Injectable } from '@nestjs/common';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, FairTurns, type Clock } from '@tire/kernel';
import { batched, Database, LEDGER, setSubject, turnDeadline, type PromiseClient } from '@tire/platform';
import { isToken } from '../domain/link';
import { vehicleLinkStatus } from '../domain/vehicle-link';
import { tokenDigest } from '../links/link.store';
import { nullWhenNotFound } from '../links/not-found';
import { RenderCache } from '../page/render-cache';
import { findFace, type PublicFace } from '../partner/public-face';
import { findVehicleLinks, type StoredVehicleLink } from './vehicle-link.store';

interface ReadVehicle {
  readonly vehicle: ledgerApi.GetPublishedVehicleResponse;
  /** Of the branch of the newest public inspection, otherwise of the project. */
  readonly partner: PublicFace;
}

export interface OpenVehicle extends ReadVehicle {
  readonly status: 'active';
  readonly projectId: string;
  readonly showsPlate: boolean;
}

/** `discarded`: no report of the vehicle is left. */
type VehicleState = OpenVehicle | { readonly status: 'unknown' | 'revoked' | 'expired' | 'discarded' };

/** Vehicles that are read from the ledger at once, half of them for one project. A view costs seven queries there, and one here. */
const READS_AT_ONCE = 16;
/** Views of one project that wait. Further ones get 503. */
const WAITING_OF_PROJECT = 64;

/**
 * Decides what a visitor with a token may see now. This service keeps no copy of a vehicle: the ledger is asked at each view, so a page follows
 * merges, splits and discarded reports without an event. Views of one vehicle that come at once share one answer.
 */
@Injectable()
export class VehicleReader {
  private readonly linkOf: (digest: Buffer) => Promise<StoredVehicleLink | undefined>;
  private readonly turns = new FairTurns({ capacity: READS_AT_ONCE, ofKey: READS_AT_ONCE / 2, waitingOfKey: WAITING_OF_PROJECT });
  private readonly reading: RenderCache<ReadVehicle | null>;

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.linkOf = batched((digests) => findVehicleLinks(database, digests), { call: { callee: 'database' } });
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
    const read = await this.reading.get(`${projectId} ${vehicleId}`, async () => ({
      value: await this.turns.run(projectId, () => this.read(projectId, vehicleId), { untilMs: turnDeadline() }),
      bytes: 1,
      untilMs: 0,
    }));
    return read === null ? { status: 'discarded' } : { status, projectId, showsPlate, ...read };
  }

  private async read(projectId: string, vehicleId: string): Promise<ReadVehicle | null> {
    const vehicle = await this.ledger.getPublishedVehicle({ projectId, vehicleId }).catch(nullWhenNotFound);
    return vehicle && { vehicle, partner: await findFace(this.database, projectId, vehicle.branchId ?? null) };
  }
}
