import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { AssetUsage } from '../assets/asset-usage';
import type { CleaningSettings } from '../config';
import { isOldEnough, judge, type Finding, type RecordedAsset } from '../domain/cleaning';
import { isExportKey, parseObjectKey, type StoredObject } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { CLEANING, OBJECT_STORE } from '../tokens';
import { findRecorded } from './cleaning.store';

/** One page of an S3 listing and one request to the ledger. */
const BATCH_OBJECTS = 1_000;

export interface Inspected {
  readonly object: StoredObject;
  readonly asset: RecordedAsset | undefined;
  readonly finding: Finding;
}

export interface Batch {
  readonly objects: number;
  /** Keys that are not from this service. They are never removed. */
  readonly foreign: number;
  /** The objects that are old enough to be judged. */
  readonly inspected: readonly Inspected[];
  readonly lastKey: string;
}

/** Walks through the object store in batches and judges each object. It changes nothing. */
@Injectable()
export class Inspection {
  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly settings: CleaningSettings,
    private readonly usage: AssetUsage,
    private readonly database: Database,
  ) {}

  /** Lists a batch after the one before it was processed: listing a changing folder is not reliable on every server. */
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
    const recorded = await findRecorded(this.database, [...new Set(old.map(({ assetId }) => assetId))]);
    const inUse = await this.findInUse(old);
    const inspected = old.map((object): Inspected => {
      const asset = recorded.get(object.assetId);
      return { object, asset, finding: judge(object, asset, inUse.has(object.assetId), now, graceMs) };
    });
    return { objects: keys.length, foreign: keys.length - stored.length - keys.filter(isExportKey).length, inspected, lastKey };
  }

  private findInUse(objects: readonly StoredObject[]): Promise<Set<string>> {
    return this.usage.find([...new Map(objects.map((object) => [`${object.reportId}/${object.assetId}`, object])).values()]);
  }
}
