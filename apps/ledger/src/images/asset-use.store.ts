import type { ledgerApi } from '@tire/contracts';
import type { Tx } from '@tire/platform';

const ASKED = 'unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS asked (project_id, report_id, asset_id)';

const SELECT_IN_SLOTS = `
  SELECT asset_id AS "assetId" FROM ${ASKED} JOIN slots USING (project_id, report_id, asset_id)
  JOIN reports USING (project_id, report_id) WHERE discarded_at IS NULL`;

/** The id anywhere in the frozen text counts as a reference: this need not know what a revision looks like, of today or of years ago. */
const SELECT_IN_REVISIONS = `
  SELECT DISTINCT asset_id AS "assetId" FROM ${ASKED} JOIN analysis_revisions USING (project_id, report_id)
  JOIN reports USING (project_id, report_id)
  WHERE discarded_at IS NULL AND position(convert_to(asset_id::text, 'UTF8') IN snapshot) > 0`;

export const findInSlots = (tx: Tx, keys: readonly ledgerApi.AssetKey[]): Promise<string[]> => find(tx, SELECT_IN_SLOTS, keys);

export const findInRevisions = (tx: Tx, keys: readonly ledgerApi.AssetKey[]): Promise<string[]> => find(tx, SELECT_IN_REVISIONS, keys);

async function find(tx: Tx, sql: string, keys: readonly ledgerApi.AssetKey[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const columns = [keys.map((key) => key.projectId), keys.map((key) => key.reportId), keys.map((key) => key.assetId)];
  const rows = await tx.rows<{ assetId: string }>(sql, columns);
  return rows.map(({ assetId }) => assetId);
}
