import { Inject, Injectable } from '@nestjs/common';
import type { ledgerApi } from '@tire/contracts';
import type { Clock } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { mayStillBeRecorded } from './domain/cleaning';
import type { AssetIdentity } from './domain/object-key';
import { CLEANING, CLOCK, LEDGER, type CleaningSettings } from './tokens';

const LEDGER_DEADLINE_MS = 30_000;

type Key = Omit<AssetIdentity, 'slotId'>;

/** What the ledger says of the images that reports stand on. */
@Injectable()
export class AssetUsage {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly settings: CleaningSettings,
  ) {}

  async find(keys: readonly Key[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const asked = keys.map(({ projectId, reportId, assetId }) => ({ projectId, reportId, assetId }));
    const { assetIds } = await this.ledger.findAssetsInUse({ keys: asked }, { deadlineMs: LEDGER_DEADLINE_MS });
    return new Set(assetIds);
  }

  /** Old enough for the cleaner, and no report waits for it: what is recorded now, its bytes may be gone a moment later. */
  async isForgotten(image: Key): Promise<boolean> {
    if (mayStillBeRecorded(image.assetId, this.clock.now(), this.settings.graceMs)) return false;
    return !(await this.find([image])).has(image.assetId);
  }
}
