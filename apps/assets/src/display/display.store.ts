import type { Database, Tx } from '@tire/platform';
import type { Asset } from '../assets/asset.store';
import { DISPLAY_RECIPE, DISPLAY_TRIES_MAX } from '../domain/display';

export type DrawableAsset = Pick<Asset, 'assetId' | 'projectId' | 'reportId' | 'objectKey' | 'orientation'>;

export type ShowableAsset = DrawableAsset &
  Pick<Asset, 'widthPx' | 'heightPx'> & {
    /** The derivatives of the current recipe are stored. */
    readonly isMade: boolean;
    readonly mayBeTried: boolean;
  };

/** Without those whose report is discarded or whose time is over. */
export function findShowables(database: Database, projectId: string, assetIds: readonly string[]): Promise<ShowableAsset[]> {
  return database.projectQuery<ShowableAsset>(
    projectId,
    `SELECT asset_id AS "assetId", project_id AS "projectId", report_id AS "reportId", object_key AS "objectKey", orientation,
            width_px AS "widthPx", height_px AS "heightPx",
            display_recipe IS NOT DISTINCT FROM $2 AS "isMade", display_tries < $3 AS "mayBeTried"
       FROM assets
      WHERE asset_id = ANY($1) AND ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM discarded_reports WHERE discarded_reports.report_id = assets.report_id)`,
    [assetIds, DISPLAY_RECIPE, DISPLAY_TRIES_MAX],
  );
}

export async function findShowable(database: Database, projectId: string, assetId: string): Promise<ShowableAsset | undefined> {
  const [asset] = await findShowables(database, projectId, [assetId]);
  return asset;
}

/** False where the derivatives were made meanwhile, or all attempts are used up. */
export async function beginTry(database: Database, { projectId, assetId }: DrawableAsset): Promise<boolean> {
  const begun = await database.projectQuery(
    projectId,
    `UPDATE assets SET display_tries = display_tries + 1
      WHERE asset_id = $1 AND display_tries < $2 AND display_recipe IS DISTINCT FROM $3 RETURNING asset_id`,
    [assetId, DISPLAY_TRIES_MAX, DISPLAY_RECIPE],
  );
  return begun.length > 0;
}

/** The image was not the reason why the attempt failed. */
export async function forgiveTry(tx: Tx, assetId: string): Promise<void> {
  await tx.execute('UPDATE assets SET display_tries = greatest(display_tries - 1, 0) WHERE asset_id = $1', [assetId]);
}

/** No attempt can succeed. */
export async function endTries(tx: Tx, assetId: string): Promise<void> {
  await tx.execute('UPDATE assets SET display_tries = $2 WHERE asset_id = $1', [assetId, DISPLAY_TRIES_MAX]);
}

/** False where the cleaner has removed the row, or its time is over. Locks it otherwise. */
export async function recordDisplay(tx: Tx, assetId: string): Promise<boolean> {
  const recorded = await tx.execute('UPDATE assets SET display_recipe = $2, display_tries = 0 WHERE asset_id = $1 AND ended_at IS NULL', [
    assetId,
    DISPLAY_RECIPE,
  ]);
  return recorded > 0;
}
