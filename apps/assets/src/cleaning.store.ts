import { Injectable } from '@nestjs/common';
import { Database } from '@tire/platform';
import { LOCK_KEY } from './asset.store';
import type { RecordedAsset } from './domain/cleaning';
import type { StoredObject } from './domain/object-key';

const RECORDED = 'asset_id AS "assetId", object_key AS "objectKey", origin, unused_since AS "unusedSince"';

const SELECT_PAGE = `SELECT ${RECORDED} FROM assets WHERE asset_id > $1 AND ($3::uuid IS NULL OR project_id = $3) ORDER BY asset_id LIMIT $2`;

/** A walk that was begun is taken up by whoever comes when its holder is silent; a new one begins when the last began long enough ago. */
const CLAIM_WALK = `
  UPDATE cleaning SET held_by = $1, held_until = $3, after_key = coalesce(after_key, ''),
                      started_at = CASE WHEN after_key IS NULL THEN $2 ELSE started_at END
  WHERE held_until <= $2 AND (after_key IS NOT NULL OR started_at <= $4)
  RETURNING after_key AS "afterKey"`;

/** Across projects: the cleaner works for the whole store. */
@Injectable()
export class CleaningStore {
  constructor(private readonly database: Database) {}

  async recorded(assetIds: readonly string[]): Promise<Map<string, RecordedAsset>> {
    const rows = await this.select<RecordedAsset>(`SELECT ${RECORDED} FROM assets WHERE asset_id = ANY($1)`, [assetIds]);
    return new Map(rows.map((row) => [row.assetId, row]));
  }

  page(afterAssetId: string, limit: number, projectId?: string): Promise<RecordedAsset[]> {
    return this.select<RecordedAsset>(SELECT_PAGE, [afterAssetId, limit, projectId ?? null]);
  }

  async mark(assetIds: readonly string[], unusedSince: Date | null): Promise<void> {
    if (assetIds.length > 0) await this.change('UPDATE assets SET unused_since = $2 WHERE asset_id = ANY($1)', [assetIds, unusedSince]);
  }

  /** False when the asset was claimed since it was judged: the mark that it had is gone then. */
  async removeUnused(assetId: string, unusedSince: Date): Promise<boolean> {
    return (await this.change('DELETE FROM assets WHERE asset_id = $1 AND unused_since = $2', [assetId, unusedSince])).count > 0;
  }

  /** Alone with the report's lock, so that no row can come to name these bytes meanwhile. False, and nothing is done, when one does. */
  unlessRecorded({ reportId, assetId, key }: StoredObject, remove: () => Promise<void>): Promise<boolean> {
    return this.database.asSystem(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [reportId]);
      const rows: unknown[] = await tx.query('SELECT 1 FROM assets WHERE asset_id = $1 AND object_key = $2', [assetId, key]);
      if (rows.length > 0) return false;
      await remove();
      return true;
    });
  }

  /** The key behind which to go on, or undefined when there is nothing to do or another process does it. */
  async claimWalk(holder: string, now: Date, heldUntil: Date, startedBefore: Date): Promise<string | undefined> {
    const { rows } = await this.change<{ afterKey: string }>(CLAIM_WALK, [holder, now, heldUntil, startedBefore]);
    return rows[0]?.afterKey;
  }

  /** Null: the walk is at its end. False when another process has taken the walk over. */
  async advance(holder: string, afterKey: string | null, heldUntil: Date): Promise<boolean> {
    const statement = 'UPDATE cleaning SET after_key = $2, held_until = $3 WHERE held_by = $1';
    return (await this.change(statement, [holder, afterKey, heldUntil])).count > 0;
  }

  private select<Row>(sql: string, params: unknown[]): Promise<Row[]> {
    return this.database.asSystem((tx) => tx.query<Row[]>(sql, params));
  }

  private async change<Row>(sql: string, params: unknown[]): Promise<{ rows: Row[]; count: number }> {
    const [rows, count] = await this.database.asSystem((tx) => tx.query<[Row[], number]>(sql, params));
    return { rows, count };
  }
}
