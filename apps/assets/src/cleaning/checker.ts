import type { Database } from '@tire/platform';
import type { RecordedAsset } from '../domain/cleaning';
import { findPage, findRecorded } from './cleaning.store';
import type { Inspection } from './inspection';
import type { ObjectStore } from '../object-store/object-store';

const ROWS_AT_ONCE = 1_000;
const CHECKS_AT_ONCE = 16;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** The counts are complete; the list of names ends here. */
const NAMES_MAX = 1_000;

export interface CheckResult {
  objects: number;
  rows: number;
  /** Keys that are not from this service. */
  foreign: number;
  /** Bytes without a row, by kind, and images that no report refers to. The next cleaning removes them. */
  orphans: { unrecorded: number; copy: number; replaced: number };
  /** Rows without bytes: these images are lost. */
  missing: number;
  names: { key: string; finding: 'unrecorded' | 'copy' | 'replaced' | 'missing' }[];
}

/** Compares the object store with the database and changes nothing. */
export class Checker {
  readonly result: CheckResult = {
    objects: 0,
    rows: 0,
    foreign: 0,
    orphans: { unrecorded: 0, copy: 0, replaced: 0 },
    missing: 0,
    names: [],
  };

  constructor(
    private readonly objects: ObjectStore,
    private readonly database: Database,
    private readonly inspection: Inspection,
  ) {}

  async findOrphans(prefix: string): Promise<void> {
    for await (const { objects, foreign, inspected } of this.inspection.batches(prefix, '')) {
      this.result.objects += objects;
      this.result.foreign += foreign;
      for (const { object, finding } of inspected) {
        if (finding !== 'unrecorded' && finding !== 'copy' && finding !== 'replaced') continue;
        this.result.orphans[finding] += 1;
        this.name(object.key, finding);
      }
    }
  }

  async findMissing(projectId?: string): Promise<void> {
    for (let after = BEFORE_ALL_IDS; ;) {
      const page = await findPage(this.database, after, ROWS_AT_ONCE, projectId);
      const last = page.at(-1);
      if (!last) return;
      after = last.assetId;
      this.result.rows += page.length;
      while (page.length > 0) await Promise.all(page.splice(-CHECKS_AT_ONCE).map((asset) => this.check(asset)));
    }
  }

  /** If the row no longer exists, it was removed with its bytes because its report was discarded. */
  private async check({ assetId, objectKey }: RecordedAsset): Promise<void> {
    if (await this.objects.stat(objectKey)) return;
    if (!(await findRecorded(this.database, [assetId])).has(assetId)) return;
    this.result.missing += 1;
    this.name(objectKey, 'missing');
  }

  private name(key: string, finding: CheckResult['names'][number]['finding']): void {
    if (this.result.names.length < NAMES_MAX) this.result.names.push({ key, finding });
  }
}
