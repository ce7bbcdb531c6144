import type { Database, Tx } from '@tire/platform';
import type { RecordedAsset } from '../domain/cleaning';
import type { StoredObject } from '../domain/object-key';

const RECORDED = 'asset_id AS "assetId", object_key AS "objectKey", unused_since AS "unusedSince"';

export async function findRecorded(database: Database, assetIds: readonly string[]): Promise<Map<string, RecordedAsset>> {
  const assets = await database.systemQuery<RecordedAsset>(`SELECT ${RECORDED} FROM assets WHERE asset_id = ANY($1)`, [assetIds]);
  return new Map(assets.map((asset) => [asset.assetId, asset]));
}

/** Assets of the project, or of all projects, in the order of their ids. */
export const findPage = (database: Database, afterAssetId: string, limit: number, projectId?: string): Promise<RecordedAsset[]> =>
  database.systemQuery<RecordedAsset>(
    `SELECT ${RECORDED} FROM assets WHERE asset_id > $1 AND ($3::uuid IS NULL OR project_id = $3) ORDER BY asset_id LIMIT $2`,
    [afterAssetId, limit, projectId ?? null],
  );

export async function markUnused(tx: Tx, assetIds: readonly string[], unusedSince: Date | null): Promise<void> {
  await tx.execute('UPDATE assets SET unused_since = $2 WHERE asset_id = ANY($1)', [assetIds, unusedSince]);
}

/** False where a registration has claimed the asset since: then it does not have this mark any more. */
export async function deleteUnused(tx: Tx, assetId: string, unusedSince: Date): Promise<boolean> {
  return (await tx.execute('DELETE FROM assets WHERE asset_id = $1 AND unused_since = $2', [assetId, unusedSince])) > 0;
}

/** Whether a row names this object. */
export async function isRecorded(tx: Tx, { assetId, key }: StoredObject): Promise<boolean> {
  return (await tx.rows('SELECT 1 FROM assets WHERE asset_id = $1 AND object_key = $2', [assetId, key])).length > 0;
}

/**
 * Claims the walk through the object store and returns the key after which to go on. Undefined where no walk is due or another process
 * holds it. A walk whose lease has expired is taken over; a new walk begins when the last one began before `startedBefore`.
 */
export async function claimWalk(tx: Tx, holder: string, now: Date, heldUntil: Date, startedBefore: Date): Promise<string | undefined> {
  const [walk] = await tx.rows<{ afterKey: string }>(
    `UPDATE cleaning SET held_by = $1, held_until = $3, after_key = coalesce(after_key, ''),
                         started_at = CASE WHEN after_key IS NULL THEN $2 ELSE started_at END
     WHERE held_until <= $2 AND (after_key IS NOT NULL OR started_at <= $4)
     RETURNING after_key AS "afterKey"`,
    [holder, now, heldUntil, startedBefore],
  );
  return walk?.afterKey;
}

/** Null as the key ends the walk. False where another process has taken the walk over. */
export async function advanceWalk(tx: Tx, holder: string, afterKey: string | null, heldUntil: Date): Promise<boolean> {
  const statement = 'UPDATE cleaning SET after_key = $2, held_until = $3 WHERE held_by = $1';
  return (await tx.execute(statement, [holder, afterKey, heldUntil])) > 0;
}
