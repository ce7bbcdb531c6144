import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@tire/kernel';
import { ATTRIBUTES, counter, Database, logger, METRICS } from '@tire/platform';
import { lockReport } from '../assets/asset.store';
import { displayPrefixOf, type StoredObject } from '../domain/object-key';
import { Inspection, type Batch, type Inspected } from './inspection';
import { removeUnder, type ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';
import { deleteUnused, isRecorded, markUnused } from './cleaning.store';

const REMOVALS_AT_ONCE = 16;
/** Each holds a database connection during a request to the object store, so most connections must stay free for callers. */
const LOCKED_REMOVALS_AT_ONCE = 2;

const REMOVABLE = ['unrecorded', 'copy', 'replaced'] as const;
type Removable = (typeof REMOVABLE)[number];

type Cleaned = Record<Removable | 'failed', number>;

const noneCleaned = (): Cleaned => ({ unrecorded: 0, copy: 0, replaced: 0, failed: 0 });

const isRemovable = (finding: string): finding is Removable => REMOVABLE.some((each) => each === finding);

/** Removes the objects that the inspection found to be unreferenced. Safe to run twice and in two processes at once. */
@Injectable()
export class Cleaner {
  private readonly log = logger('assets.cleaning');
  private readonly removed = counter(METRICS.objectsCleaned, 'Objects that the cleaner removed, by kind, or could not remove');

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly inspection: Inspection,
    private readonly database: Database,
  ) {}

  async *walk(prefix: string, after: string): AsyncIterable<{ batch: Batch; cleaned: Cleaned }> {
    for await (const batch of this.inspection.batches(prefix, after)) yield { batch, cleaned: await this.clean(batch) };
  }

  async cleanAll(prefix: string): Promise<Cleaned> {
    const total = noneCleaned();
    for await (const { cleaned } of this.walk(prefix, '')) {
      for (const kind of [...REMOVABLE, 'failed'] as const) total[kind] += cleaned[kind];
    }
    return total;
  }

  private async clean({ inspected }: Batch): Promise<Cleaned> {
    const found = (finding: string) => inspected.flatMap((each) => (each.finding === finding ? [each.object.assetId] : []));
    await this.mark(found('unused'), this.clock.now());
    await this.mark(found('used'), null);
    const cleaned = noneCleaned();
    const removable = inspected.filter(({ finding }) => isRemovable(finding));
    const [uploads, images] = [removable.filter(({ object }) => object.isUpload), removable.filter(({ object }) => !object.isUpload)];
    for (const outcome of [
      ...(await this.removeAll(uploads, REMOVALS_AT_ONCE)),
      ...(await this.removeAll(images, LOCKED_REMOVALS_AT_ONCE)),
    ]) {
      cleaned[outcome] += 1;
      this.removed.add(1, { [ATTRIBUTES.kind]: outcome });
    }
    return cleaned;
  }

  private async mark(assetIds: readonly string[], unusedSince: Date | null): Promise<void> {
    if (assetIds.length > 0) await this.database.asSystem((tx) => markUnused(tx, assetIds, unusedSince));
  }

  private async removeAll(left: Inspected[], atOnce: number): Promise<(Removable | 'failed')[]> {
    const outcomes: (Removable | 'failed')[] = [];
    while (left.length > 0) {
      const removed = await Promise.all(left.splice(-atOnce).map((each) => this.remove(each)));
      outcomes.push(...removed.filter((outcome) => outcome !== undefined));
    }
    return outcomes;
  }

  /** The row first: the next walk finds bytes without a row. A failure does not stop the removal of other objects. */
  private async remove({ object, asset, finding }: Inspected): Promise<Removable | 'failed' | undefined> {
    if (!isRemovable(finding)) return undefined;
    try {
      if (finding === 'replaced' && !(await this.deleteRow(asset))) return undefined;
      // Rows never name an upload key.
      if (object.isUpload) await this.objects.remove(object.key);
      else if (!(await this.removeUnlessRecorded(object))) return undefined;
      return finding;
    } catch (error) {
      this.log.warn({ err: error, report_id: object.reportId }, 'An object could not be removed; the next walk retries');
      return 'failed';
    }
  }

  private async deleteRow(asset: Inspected['asset']): Promise<boolean> {
    const { assetId, unusedSince } = asset ?? {};
    if (!assetId || !unusedSince) return false;
    return this.database.asSystem((tx) => deleteUnused(tx, assetId, unusedSince));
  }

  /** Holds the lock of the report, so that no transaction can record these bytes meanwhile. */
  private removeUnlessRecorded(object: StoredObject): Promise<boolean> {
    return this.database.asSystem(async (tx) => {
      await lockReport(tx, object.reportId);
      if (await isRecorded(tx, object)) return false;
      // First: they are found by the name of their image.
      await removeUnder(this.objects, displayPrefixOf(object, object.key));
      await this.objects.remove(object.key);
      return true;
    });
  }
}
