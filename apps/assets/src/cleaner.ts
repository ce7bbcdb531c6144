import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@tire/kernel';
import { ATTRIBUTES, counter, logger, METRICS } from '@tire/platform';
import { CleaningStore } from './cleaning.store';
import { Inspection, type Batch, type Inspected } from './inspection';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { CLOCK } from './tokens';

const REMOVALS_AT_ONCE = 16;
/** Each holds a connection of the database while the object store is asked: the others are for those who wait for an answer. */
const LOCKED_REMOVALS_AT_ONCE = 2;

const REMOVABLE = ['unrecorded', 'copy', 'replaced'] as const;
type Removable = (typeof REMOVABLE)[number];

type Cleaned = Record<Removable | 'failed', number>;

const nothingCleaned = (): Cleaned => ({ unrecorded: 0, copy: 0, replaced: 0, failed: 0 });

const isRemovable = (finding: string): finding is Removable => REMOVABLE.some((each) => each === finding);

/** Removes what the inspection found to be nobody's. Done twice, or by two at once, it does the same. */
@Injectable()
export class Cleaner {
  private readonly log = logger('assets.cleaning');
  private readonly removed = counter(METRICS.objectsCleaned, 'Objects that the cleaner removed, by what they were, or could not remove');

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly inspection: Inspection,
    private readonly store: CleaningStore,
  ) {}

  async *walk(prefix: string, after: string): AsyncIterable<{ batch: Batch; cleaned: Cleaned }> {
    for await (const batch of this.inspection.batches(prefix, after)) yield { batch, cleaned: await this.clean(batch) };
  }

  async cleanAll(prefix: string): Promise<Cleaned> {
    const total = nothingCleaned();
    for await (const { cleaned } of this.walk(prefix, '')) {
      for (const kind of [...REMOVABLE, 'failed'] as const) total[kind] += cleaned[kind];
    }
    return total;
  }

  private async clean({ inspected }: Batch): Promise<Cleaned> {
    const found = (finding: string) => inspected.flatMap((each) => (each.finding === finding ? [each.object.assetId] : []));
    await this.store.mark(found('unused'), this.clock.now());
    await this.store.mark(found('used'), null);
    const cleaned = nothingCleaned();
    const left = inspected.filter(({ finding }) => isRemovable(finding));
    const [uploads, kept] = [left.filter(({ object }) => object.isUpload), left.filter(({ object }) => !object.isUpload)];
    for (const outcome of [
      ...(await this.removeAll(uploads, REMOVALS_AT_ONCE)),
      ...(await this.removeAll(kept, LOCKED_REMOVALS_AT_ONCE)),
    ]) {
      cleaned[outcome] += 1;
      this.removed.add(1, { [ATTRIBUTES.kind]: outcome });
    }
    return cleaned;
  }

  private async removeAll(left: Inspected[], atOnce: number): Promise<(Removable | 'failed')[]> {
    const outcomes: (Removable | 'failed')[] = [];
    while (left.length > 0) {
      const removed = await Promise.all(left.splice(-atOnce).map((each) => this.remove(each)));
      outcomes.push(...removed.filter((outcome) => outcome !== undefined));
    }
    return outcomes;
  }

  /** The row first: bytes without one are found again by the next walk. One object that cannot be removed does not stop the others. */
  private async remove({ object, asset, finding }: Inspected): Promise<Removable | 'failed' | undefined> {
    if (!isRemovable(finding)) return undefined;
    try {
      if (finding === 'replaced' && !(asset?.unusedSince && (await this.store.removeUnused(asset.assetId, asset.unusedSince))))
        return undefined;
      // No row ever names what lies at an upload address.
      if (object.isUpload) await this.objects.remove(object.key);
      else if (!(await this.store.unlessRecorded(object, () => this.objects.remove(object.key)))) return undefined;
      return finding;
    } catch (error) {
      this.log.warn({ err: error, report_id: object.reportId }, 'An object could not be removed; it is tried again by the next walk');
      return 'failed';
    }
  }
}
