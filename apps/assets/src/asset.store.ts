import { Injectable } from '@nestjs/common';
import { EVENTS, type ImageFetched } from '@tire/contracts';
import type { Outbox } from '@tire/eventing';
import { Database } from '@tire/platform';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import type { ImageFormat } from './domain/image-content';
import type { Orientation } from './domain/exif';
import type { AssetIdentity } from './domain/object-key';

export type AssetOrigin = 'upload' | 'url';

/** A report's lock: held together by whoever records its assets, alone by its discard. Two reports on one number only wait for each other. */
const lockKey = (reportId: string): string => `hashtextextended(${reportId}::uuid::text, 1)`;
export const LOCK_KEY = lockKey('$1');
const TOGETHER = `pg_advisory_xact_lock_shared(${lockKey('$3')})`;

/** One image whose bytes were verified and are kept. Rows never change: other bytes are another asset. */
@Entity('assets')
export class AssetRow {
  @PrimaryColumn('uuid', { name: 'asset_id' }) assetId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('uuid', { name: 'report_id' }) reportId: string;
  @Column('text', { name: 'slot_id' }) slotId: string;
  @Column('text', { nullable: true }) origin: AssetOrigin | null;
  @Column('text', { name: 'object_key' }) objectKey: string;
  @Column('text') format: ImageFormat;
  @Column('bytea') sha256: Buffer;
  @Column('integer', { name: 'size_bytes' }) sizeBytes: number;
  @Column('integer', { name: 'width_px' }) widthPx: number;
  @Column('integer', { name: 'height_px' }) heightPx: number;
  @Column('smallint') orientation: Orientation;
  @Column('timestamptz', { name: 'stored_at' }) storedAt: Date;
}

const INSERT_NEW = `
  INSERT INTO assets (asset_id, project_id, report_id, slot_id, origin, object_key, format, sha256, size_bytes, width_px, height_px,
                      orientation, stored_at)
  SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::bytea, $9::int, $10::int, $11::int, $12::smallint, $13::timestamptz
  WHERE NOT EXISTS (SELECT 1 FROM discarded_reports WHERE report_id = $3)
  ON CONFLICT DO NOTHING RETURNING asset_id`;

type ReadableAsset = Pick<AssetRow, 'objectKey' | 'format' | 'orientation' | 'widthPx' | 'heightPx'>;

@Injectable()
export class AssetStore {
  constructor(private readonly database: Database) {}

  /** An asset that may be read: one of a report that is being discarded still has its row for a while. */
  async findReadable(projectId: string, assetId: string): Promise<ReadableAsset | undefined> {
    const [row] = await this.database.projectQuery<ReadableAsset>(
      projectId,
      `SELECT object_key AS "objectKey", format, orientation, width_px AS "widthPx", height_px AS "heightPx" FROM assets
       WHERE asset_id = $1 AND NOT EXISTS (SELECT 1 FROM discarded_reports WHERE discarded_reports.report_id = assets.report_id)`,
      [assetId],
    );
    return row;
  }

  /** The asset as it was kept, when it was kept for this report and slot. */
  async findExactly({ projectId, ...rest }: AssetIdentity): Promise<AssetRow | null> {
    return this.database.withProject(projectId, (tx) => tx.findOneBy(AssetRow, rest));
  }

  /** Both that a fetch has to know before it begins, in one round trip. */
  async whatIsKnown({ projectId, reportId, slotId, assetId }: AssetIdentity): Promise<{ isDiscarded: boolean; isStored: boolean }> {
    const [known] = await this.database.projectQuery<{ isDiscarded: boolean; isStored: boolean }>(
      projectId,
      `SELECT EXISTS (SELECT 1 FROM discarded_reports WHERE report_id = $1) AS "isDiscarded",
              EXISTS (SELECT 1 FROM assets WHERE report_id = $1 AND slot_id = $2 AND asset_id = $3) AS "isStored"`,
      [reportId, slotId, assetId],
    );
    return known!;
  }

  async isDiscarded(projectId: string, reportId: string): Promise<boolean> {
    const tombstones = await this.database.projectQuery(projectId, 'SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId]);
    return tombstones.length > 0;
  }

  /** One transaction that a discard of the report waits for; false, and nothing is done, when the report is discarded already. */
  unlessDiscarded(projectId: string, reportId: string, work: (tx: EntityManager) => Promise<void>): Promise<boolean> {
    return this.database.withProject(projectId, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`, [reportId]);
      const tombstones: unknown[] = await tx.query('SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId]);
      if (tombstones.length > 0) return false;
      await work(tx);
      return true;
    });
  }

  /**
   * As `unlessDiscarded` and `insert` do it, with the word about it in one round trip. False, and nothing is done, also where the id is
   * known already.
   */
  insertNew(row: AssetRow, outbox: Outbox, message: ImageFetched): Promise<boolean> {
    const { assetId, projectId, reportId, slotId, origin, objectKey, format, sha256, sizeBytes, widthPx, heightPx, orientation, storedAt } =
      row;
    const params = [
      assetId,
      projectId,
      reportId,
      slotId,
      origin,
      objectKey,
      format,
      sha256,
      sizeBytes,
      widthPx,
      heightPx,
      orientation,
      storedAt,
    ];
    const fact = { projectId, sql: INSERT_NEW, params, before: { call: TOGETHER, value: reportId } };
    return outbox.addWith(this.database, fact, EVENTS.imageFetched, message);
  }

  /** Whoever counts on an asset that is recorded already says so: the cleaner leaves it alone then. False when it has just gone. */
  async claim(tx: EntityManager, { assetId }: Pick<AssetRow, 'assetId'>): Promise<boolean> {
    const [, claimed] = await tx.query<[unknown[], number]>('UPDATE assets SET unused_since = NULL WHERE asset_id = $1', [assetId]);
    return claimed > 0;
  }

  /**
   * The first one to verify an asset wins; whoever comes second finds it there. False when the id is another report's or slot's, as ids
   * that came with reports of another system may be: then nothing is recorded.
   */
  async insert(tx: EntityManager, row: AssetRow): Promise<boolean> {
    const { raw } = await tx.createQueryBuilder().insert().into(AssetRow).values(row).orIgnore().returning('asset_id').execute();
    const { assetId, reportId, slotId } = row;
    return (raw as unknown[]).length > 0 || tx.existsBy(AssetRow, { assetId, reportId, slotId });
  }
}
