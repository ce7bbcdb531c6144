import type { ledgerApi } from '@tire/contracts/grpc';
import type { Database } from '@tire/platform';

/** In a slot of an open report, or frozen in one of its revisions. A discarded report under legal hold keeps its images. */
const SELECT_IN_USE = `
  SELECT DISTINCT asset_id AS "assetId"
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS key (project_id, report_id, asset_id)
    JOIN (
      SELECT project_id, report_id, asset_id FROM slots
      UNION ALL
      SELECT project_id, report_id, asset_id FROM analysis_revision_slots
    ) shown USING (project_id, report_id, asset_id)
    JOIN reports USING (project_id, report_id)
   WHERE discarded_at IS NULL OR legal_hold_at IS NOT NULL`;

/** One statement, so one moment: no image is missed while it moves from a slot into a revision. */
export async function findAssetsInUse(database: Database, keys: readonly ledgerApi.AssetKey[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const columns = [keys.map((key) => key.projectId), keys.map((key) => key.reportId), keys.map((key) => key.assetId)];
  const rows = await database.systemQuery<{ assetId: string }>(SELECT_IN_USE, columns);
  return rows.map(({ assetId }) => assetId);
}
