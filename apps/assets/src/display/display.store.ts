import type { Database, Tx } from '@tire/platform';
import type { Asset } from '../assets/asset.store';
import { type DisplaySet, DISPLAY_TRIES_MAX, RECORD_OF, recordsWith } from '../domain/display';

export type DrawableAsset = Pick<Asset, 'assetId' | 'projectId' | 'reportId' | 'objectKey' | 'orientation'>;

export type ShowableAsset = DrawableAsset &
  Pick<Asset, 'widthPx' | 'heightPx'> & {
    /** Which derivatives are stored (RECORD_OF). */
    readonly record: number | null;
    readonly mayBeTried: boolean;
  };

/** Without those whose report is discarded or whose time is over. */
export function findShowables(database: Database, projectId: string, assetIds: readonly string[]): Promise<ShowableAsset[]> {
  return database.projectQuery<ShowableAsset>(
    projectId,
    `SELECT asset_id AS "assetId", project_id AS "projectId", report_id AS "reportId", object_key AS "objectKey", orientation,
            width_px AS "widthPx", height_px AS "heightPx",
            display_recipe AS record, display_tries < $2 AS "mayBeTried"
       FROM assets
      WHERE asset_id = ANY($1) AND ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM discarded_reports WHERE discarded_reports.report_id = assets.report_id)`,
    [assetIds, DISPLAY_TRIES_MAX],
  );
}

export async function findShowable(database: Database, projectId: string, assetId: string): Promise<ShowableAsset | undefined> {
  const [asset] = await findShowables(database, projectId, [assetId]);
  return asset;
}

/** The record as the attempt finds it. Undefined where the derivatives were made meanwhile, or all attempts are used up. */
export async function beginTry(
  database: Database,
  { projectId, assetId }: DrawableAsset,
  set: DisplaySet,
): Promise<Pick<ShowableAsset, 'record'> | undefined> {
  const [begun] = await database.projectQuery<Pick<ShowableAsset, 'record'>>(
    projectId,
    `UPDATE assets SET display_tries = display_tries + 1
      WHERE asset_id = $1 AND display_tries < $2 AND (display_recipe = ANY ($3)) IS NOT TRUE RETURNING display_recipe AS record`,
    [assetId, DISPLAY_TRIES_MAX, recordsWith(set)],
  );
  return begun;
}

/** The image was not the reason why the attempt failed. */
export async function forgiveTry(tx: Tx, assetId: string): Promise<void> {
  await tx.execute('UPDATE assets SET display_tries = greatest(display_tries - 1, 0) WHERE asset_id = $1', [assetId]);
}

/** No attempt can succeed. */
export async function endTries(tx: Tx, assetId: string): Promise<void> {
  await tx.execute('UPDATE assets SET display_tries = $2 WHERE asset_id = $1', [assetId, DISPLAY_TRIES_MAX]);
}

/** False where the cleaner has removed the row, or its time is over. Locks it otherwise. What another process has recorded besides stays. */
export async function recordDisplay(tx: Tx, assetId: string, set: DisplaySet): Promise<boolean> {
  const recorded = await tx.execute(
    `UPDATE assets SET display_recipe = CASE WHEN display_recipe = ANY ($3) THEN display_recipe ELSE $2 END, display_tries = 0
      WHERE asset_id = $1 AND ended_at IS NULL`,
    [assetId, RECORD_OF[set], recordsWith(set)],
  );
  return recorded > 0;
}
