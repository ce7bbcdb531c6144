import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@tire/kernel';
import { AssetUsage } from './asset-usage';
import { CleaningStore } from './cleaning.store';
import { isOldEnough, judge, type Finding, type RecordedAsset } from './domain/cleaning';
import { parseObjectKey, type StoredObject } from './domain/object-key';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { CLEANING, CLOCK, type CleaningSettings } from './tokens';

/** A page of an S3 listing, and one question to the ledger. */
const BATCH_OBJECTS = 1_000;

export interface Inspected {
  readonly object: StoredObject;
  readonly asset: RecordedAsset | undefined;
  readonly finding: Finding;
}

export interface Batch {
  readonly objects: number;
  /** Keys that this service never made: they are nobody's to remove. */
  readonly foreign: number;
  /** Of those that are old enough to be judged. */
  readonly inspected: readonly Inspected[];
  readonly lastKey: string;
}

/** Looks at what lies in the store, batch by batch, and says what each object is there for. It changes nothing. */
@Injectable()
export class Inspection {
  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly settings: CleaningSettings,
    private readonly usage: AssetUsage,
    private readonly store: CleaningStore,
  ) {}

  /** Each batch is listed when the one before it has been dealt with: a store need not list well what changes meanwhile. */
  async *batches(prefix: string, after: string): AsyncIterable<Batch> {
    for (let lastKey = after; ;) {
      const keys: string[] = [];
      for await (const key of this.objects.list(prefix, lastKey)) if (keys.push(key) === BATCH_OBJECTS) break;
      const last = keys.at(-1);
      if (last === undefined) return;
      lastKey = last;
      yield await this.inspect(keys, last);
      if (keys.length < BATCH_OBJECTS) return;
    }
  }

  private async inspect(keys: readonly string[], lastKey: string): Promise<Batch> {
    const now = this.clock.now();
    const { graceMs } = this.settings;
    const stored = keys.map(parseObjectKey).filter((object) => object !== undefined);
    const old = stored.filter(({ assetId }) => isOldEnough(assetId, now, graceMs));
    const recorded = await this.store.recorded([...new Set(old.map(({ assetId }) => assetId))]);
    const inUse = await this.findInUse(old);
    const inspected = old.map((object): Inspected => {
      const asset = recorded.get(object.assetId);
      return { object, asset, finding: judge(object, asset, inUse.has(object.assetId), now, graceMs) };
    });
    return { objects: keys.length, foreign: keys.length - stored.length, inspected, lastKey };
  }

  private findInUse(objects: readonly StoredObject[]): Promise<Set<string>> {
    return this.usage.find([...new Map(objects.map((object) => [`${object.reportId}/${object.assetId}`, object])).values()]);
  }
}
