import type { Database, Tx } from '@tire/platform';
import type { Orientation } from '../domain/images/exif';
import type { ImageFormat } from '../domain/images/image-content';
import type { AssetIdentity } from '../domain/object-key';

export type AssetOrigin = 'upload' | 'url';

/** The record of one image whose bytes were verified and stored. It never changes: other bytes are another asset. */
export interface Asset extends AssetIdentity {
  readonly origin: AssetOrigin;
  readonly objectKey: string;
  readonly format: ImageFormat;
  readonly sha256: Buffer;
  readonly sizeBytes: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly orientation: Orientation;
  readonly storedAt: Date;
}

type ReadableAsset = Pick<Asset, 'objectKey' | 'format' | 'orientation' | 'widthPx' | 'heightPx'>;

/** The lock of a report: shared by transactions that record its assets, exclusive for its discard. Two reports can share one number. */
export const LOCK_KEY = 'hashtextextended($1::uuid::text, 1)';

/** Waits for all transactions that record assets of the report. */
export async function lockReport(tx: Tx, reportId: string): Promise<void> {
  await tx.execute(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [reportId]);
}

/** Takes the shared lock of the report. False where the report is discarded: then nothing may be recorded for it. */
export async function lockUnlessDiscarded(tx: Tx, reportId: string): Promise<boolean> {
  await tx.execute(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`, [reportId]);
  return (await tx.rows('SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId])).length === 0;
}

/** An asset that may be read: its time is not over. While a report is being discarded, its assets still have rows and may not be read. */
export async function findReadable(database: Database, projectId: string, assetId: string): Promise<ReadableAsset | undefined> {
  const [asset] = await database.projectQuery<ReadableAsset>(
    projectId,
    `SELECT object_key AS "objectKey", format, orientation, width_px AS "widthPx", height_px AS "heightPx" FROM assets
     WHERE asset_id = $1 AND ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM discarded_reports WHERE discarded_reports.report_id = assets.report_id)`,
    [assetId],
  );
  return asset;
}

/** The asset, if it was recorded for this report and slot and its time is not over. */
export async function findAsset(database: Database, { projectId, ...identity }: AssetIdentity): Promise<Asset | undefined> {
  const [asset] = await database.projectQuery<Asset>(
    projectId,
    `SELECT asset_id AS "assetId", project_id AS "projectId", report_id AS "reportId", slot_id AS "slotId", origin,
            object_key AS "objectKey", format, sha256, size_bytes AS "sizeBytes", width_px AS "widthPx", height_px AS "heightPx",
            orientation, stored_at AS "storedAt"
       FROM assets WHERE report_id = $1 AND slot_id = $2 AND asset_id = $3 AND ended_at IS NULL`,
    [identity.reportId, identity.slotId, identity.assetId],
  );
  return asset;
}

interface FetchState {
  readonly isDiscarded: boolean;
  /** Null where the image is not stored yet. */
  readonly storedSha256: Buffer | null;
}

/** Reads the state that a fetch checks before it begins. */
export async function findFetchState(database: Database, { projectId, reportId, slotId, assetId }: AssetIdentity): Promise<FetchState> {
  const [state] = await database.projectQuery<FetchState>(
    projectId,
    `SELECT EXISTS (SELECT 1 FROM discarded_reports WHERE report_id = $1) AS "isDiscarded",
            (SELECT sha256 FROM assets WHERE report_id = $1 AND slot_id = $2 AND asset_id = $3) AS "storedSha256"`,
    [reportId, slotId, assetId],
  );
  return state!;
}

export async function isDiscarded(database: Database, projectId: string, reportId: string): Promise<boolean> {
  const tombstones = await database.projectQuery(projectId, 'SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId]);
  return tombstones.length > 0;
}

/** Removes the mark of an unused image, so that the cleaner leaves it alone. False where the cleaner has removed the row. */
export async function claimAsset(tx: Tx, assetId: string): Promise<boolean> {
  return (await tx.execute('UPDATE assets SET unused_since = NULL WHERE asset_id = $1', [assetId])) > 0;
}

/**
 * Inserts the asset unless it is recorded already. False where the id belongs to another report or slot, which ids that were imported
 * from another system can do: then nothing is recorded.
 */
export async function insertAsset(tx: Tx, asset: Asset): Promise<boolean> {
  const { assetId, projectId, reportId, slotId, origin, objectKey, format, sha256, sizeBytes, widthPx, heightPx } = asset;
  const params = [assetId, projectId, reportId, slotId, origin, objectKey, format, sha256, sizeBytes, widthPx, heightPx];
  const inserted = await tx.execute(
    `INSERT INTO assets (asset_id, project_id, report_id, slot_id, origin, object_key, format, sha256, size_bytes, width_px, height_px,
                         orientation, stored_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`,
    [...params, asset.orientation, asset.storedAt],
  );
  if (inserted > 0) return true;
  const own = await tx.rows('SELECT 1 FROM assets WHERE report_id = $1 AND slot_id = $2 AND asset_id = $3', [reportId, slotId, assetId]);
  return own.length > 0;
}
