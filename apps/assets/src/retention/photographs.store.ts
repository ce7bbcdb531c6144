import { dueParams, dueRows, lagOf, readInIndexOrder, type Cuts, type Database, type EndingRows, type Tx } from '@tire/platform';
import type { AssetIdentity } from '../domain/object-key';

/** $6: reports under legal hold. */
const PHOTOGRAPHS: EndingRows = {
  table: 'assets',
  key: 'asset_id, report_id',
  since: 'stored_at',
  order: 'stored_at',
  indexed: 'ended_at IS NULL',
  where: 'report_id <> ALL($6::uuid[])',
};

export const SELECT_DUE = `${dueRows(PHOTOGRAPHS)}
  SELECT project_id AS "projectId", report_id AS "reportId", array_agg(asset_id) AS "assetIds" FROM due GROUP BY 1, 2`;
const SELECT_LAG = lagOf(PHOTOGRAPHS);

export interface DueImages {
  readonly projectId: string;
  readonly reportId: string;
  readonly assetIds: readonly string[];
}

export const findDueImages = (database: Database, cuts: Cuts, held: readonly string[], limit: number): Promise<DueImages[]> =>
  readInIndexOrder(database, SELECT_DUE, [...dueParams(cuts, limit), held]);

export async function lagOfImages(database: Database, cuts: Cuts, held: readonly string[]): Promise<number> {
  const [row] = await readInIndexOrder<{ lag: number | null }>(database, SELECT_LAG, [...dueParams(cuts, 1), held]);
  return row?.lag ?? 0;
}

export const endAssets = (tx: Tx, assetIds: readonly string[], now: Date): Promise<number> =>
  tx.execute('UPDATE assets SET ended_at = $2 WHERE asset_id = ANY($1) AND ended_at IS NULL', [assetIds, now]);

export type EndedImage = AssetIdentity & { readonly objectKey: string };

const SELECT_ENDED = `
  SELECT asset_id AS "assetId", project_id AS "projectId", report_id AS "reportId", slot_id AS "slotId", object_key AS "objectKey"
    FROM assets WHERE ended_at <= $1 AND report_id <> ALL($2) ORDER BY ended_at LIMIT $3`;

/** Without those of reports that came under legal hold after their end. */
export const findEnded = (database: Database, before: Date, held: readonly string[], limit: number): Promise<EndedImage[]> =>
  database.systemQuery(SELECT_ENDED, [before, held, limit]);

export const deleteEnded = (tx: Tx, assetId: string): Promise<number> =>
  tx.execute('DELETE FROM assets WHERE asset_id = $1 AND ended_at IS NOT NULL', [assetId]);

/** In seconds, since the bytes of the oldest ended image could have gone. */
export async function lagOfEnded(database: Database, before: Date, held: readonly string[]): Promise<number> {
  const sql = `SELECT extract(epoch FROM $1::timestamptz - min(ended_at))::float AS lag FROM assets WHERE ended_at <= $1 AND report_id <> ALL($2)`;
  const [row] = await database.systemQuery<{ lag: number | null }>(sql, [before, held]);
  return row?.lag ?? 0;
}
