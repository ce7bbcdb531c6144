import type { Database, Tx } from '@tire/platform';
import type { Orientation } from '../domain/images/exif';
import type { ImageFormat } from '../domain/images/image-content';
import type { AssetIdentity, ReportIdentity } from '../domain/object-key';

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
  // One round trip, and two statements: the second one sees what was committed before the lock came.
  const [, tombstones] = await Promise.all([
    tx.execute(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`, [reportId]),
    tx.rows('SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId]),
  ]);
  return tombstones.length === 0;
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

interface RegistrationState {
  readonly isDiscarded: boolean;
  /** The assets of the report that are recorded already and whose time is not over. */
  readonly recorded: readonly Asset[];
}

/** Reads what a registration checks before it begins, for all its uploads at once. */
export async function findRegistrationState(
  database: Database,
  { projectId, reportId }: ReportIdentity,
  assetIds: readonly string[],
): Promise<RegistrationState> {
  const rows = await database.projectQuery<{ isDiscarded: boolean } & ({ assetId: null } | Asset)>(
    projectId,
    `SELECT EXISTS (SELECT 1 FROM discarded_reports WHERE report_id = $1) AS "isDiscarded",
            asset_id AS "assetId", project_id AS "projectId", report_id AS "reportId", slot_id AS "slotId", origin,
            object_key AS "objectKey", format, sha256, size_bytes AS "sizeBytes", width_px AS "widthPx", height_px AS "heightPx",
            orientation, stored_at AS "storedAt"
       FROM (SELECT) AS one LEFT JOIN assets ON report_id = $1 AND asset_id = ANY ($2::uuid[]) AND ended_at IS NULL`,
    [reportId, assetIds],
  );
  return {
    isDiscarded: rows[0]!.isDiscarded,
    recorded: rows.flatMap(({ isDiscarded: _, ...row }) => (row.assetId === null ? [] : [row])),
  };
}

export interface FetchState {
  readonly isDiscarded: boolean;
  /** Null where the image is not stored yet. */
  readonly storedSha256: Buffer | null;
}

/** Reads the states that fetches of one report check before they begin. */
export function findFetchStates(database: Database, images: readonly AssetIdentity[]): Promise<FetchState[]> {
  const { projectId, reportId } = images[0]!;
  return database.projectQuery<FetchState>(
    projectId,
    `SELECT EXISTS (SELECT 1 FROM discarded_reports WHERE report_id = $1) AS "isDiscarded", sha256 AS "storedSha256"
       FROM unnest($2::text[], $3::uuid[]) WITH ORDINALITY AS image (slot_id, asset_id, place)
       LEFT JOIN assets ON assets.report_id = $1 AND assets.slot_id = image.slot_id AND assets.asset_id = image.asset_id
      ORDER BY place`,
    [reportId, images.map(({ slotId }) => slotId), images.map(({ assetId }) => assetId)],
  );
}

/** Removes the mark of an unused image, so that the cleaner leaves it alone. False where the cleaner has removed the row. */
export async function claimAsset(tx: Tx, assetId: string): Promise<boolean> {
  return (await tx.execute('UPDATE assets SET unused_since = NULL WHERE asset_id = $1', [assetId])) > 0;
}

export interface Insertion {
  /** Attempts to make derivatives that begin with the record. */
  readonly displayTries: number;
}

/** What became of an asset: a foreign id belongs to another report or slot, which ids that were imported from another system can do. */
export type Recorded = 'now' | 'before' | 'foreign';

/** Inserts the assets of one report that are not recorded already, in one statement. Nothing is recorded under a foreign id. */
export async function insertAssets(
  tx: Tx,
  { projectId, reportId }: ReportIdentity,
  assets: readonly Asset[],
  { displayTries }: Insertion,
): Promise<Recorded[]> {
  if (assets.length === 0) return [];
  const column = <K extends keyof Asset>(key: K): Asset[K][] => assets.map((asset) => asset[key]);
  const inserted = await tx.rows<Pick<Asset, 'objectKey'>>(INSERT_ASSETS, [
    ...[projectId, reportId, displayTries],
    ...[column('assetId'), column('slotId'), column('origin'), column('objectKey'), column('format'), column('sha256')],
    ...[column('sizeBytes'), column('widthPx'), column('heightPx'), column('orientation'), column('storedAt')],
  ]);
  if (inserted.length === assets.length) return assets.map(() => 'now');
  const known = await tx.rows<Pick<Asset, 'assetId' | 'slotId'>>(
    'SELECT asset_id AS "assetId", slot_id AS "slotId" FROM assets WHERE report_id = $1 AND asset_id = ANY ($2::uuid[])',
    [reportId, column('assetId')],
  );
  const before = new Set(known.map(nameOf));
  // One group may hold two fetches of one asset: only one of them is recorded now.
  const now = new Set(inserted.map(({ objectKey }) => objectKey));
  return assets.map((asset) => (now.delete(asset.objectKey) ? 'now' : before.has(nameOf(asset)) ? 'before' : 'foreign'));
}

/** Postgres prints ids in lower case. */
const nameOf = ({ assetId, slotId }: Pick<Asset, 'assetId' | 'slotId'>): string => `${assetId.toLowerCase()} ${slotId}`;

// In the order of the ids, so that two transactions that record the same assets do not deadlock.
const INSERT_ASSETS = `
  INSERT INTO assets (asset_id, project_id, report_id, slot_id, origin, object_key, format, sha256, size_bytes, width_px, height_px,
                      orientation, stored_at, display_tries)
  SELECT asset_id, $1, $2, slot_id, origin, object_key, format, sha256, size_bytes, width_px, height_px, orientation, stored_at, $3
  FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[], $10::int[], $11::int[], $12::int[], $13::smallint[],
              $14::timestamptz[])
    AS asset (asset_id, slot_id, origin, object_key, format, sha256, size_bytes, width_px, height_px, orientation, stored_at)
  ORDER BY asset_id
  ON CONFLICT DO NOTHING RETURNING object_key AS "objectKey"`;
