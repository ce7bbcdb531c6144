import { Inject, Injectable } from '@nestjs/common';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock } from '@tire/kernel';
import { LEDGER } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import type { CleaningSettings } from '../config';
import { mayStillBeRecorded } from '../domain/cleaning';
import type { AssetIdentity } from '../domain/object-key';
import { CLEANING } from '../tokens';

const LEDGER_DEADLINE_MS = 30_000;

type Key = Omit<AssetIdentity, 'slotId'>;

/** Reads from the ledger which assets reports refer to. */
@Injectable()
export class AssetUsage {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly settings: CleaningSettings,
  ) {}

  /** The ids of those assets that are in use. */
  async find(assets: readonly Key[]): Promise<Set<string>> {
    if (assets.length === 0) return new Set();
    const keys = assets.map(({ projectId, reportId, assetId }) => ({ projectId, reportId, assetId }));
    const { assetIds } = await this.ledger.findAssetsInUse({ keys }, { deadlineMs: LEDGER_DEADLINE_MS });
    return new Set(assetIds);
  }

  /** Old enough for the cleaner, and no report waits for it: the cleaner could remove its bytes at any moment. */
  async isAbandoned(asset: Key): Promise<boolean> {
    if (mayStillBeRecorded(asset.assetId, this.clock.now(), this.settings.graceMs)) return false;
    return !(await this.find([asset])).has(asset.assetId);
  }
}
