import type { ledgerApi } from '@tire/contracts';
import { isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';

const ASKED = 'unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS asked (project_id, report_id, asset_id)';

const SELECT_IN_SLOTS = `
  SELECT asset_id AS "assetId" FROM ${ASKED} JOIN slots USING (project_id, report_id, asset_id)
  JOIN reports USING (project_id, report_id) WHERE discarded_at IS NULL`;

/** The id anywhere in the frozen text counts as a reference: this need not know what a revision looks like, of today or of years ago. */
const SELECT_IN_REVISIONS = `
  SELECT DISTINCT asset_id AS "assetId" FROM ${ASKED} JOIN analysis_revisions USING (project_id, report_id)
  JOIN reports USING (project_id, report_id)
  WHERE discarded_at IS NULL AND position(convert_to(asset_id::text, 'UTF8') IN snapshot) > 0`;

type Key = ledgerApi.AssetKey;

/** Which images the record stands on. Asked before anything is removed, so whatever may be a reference is one. */
@Injectable()
export class AssetUse {
  constructor(private readonly database: Database) {}

  /** Slots first: an image is in the revision before it leaves its slot, so between the two looks none is missed. */
  find({ keys }: ledgerApi.FindAssetsInUseRequest): Promise<ledgerApi.FindAssetsInUseResponse> {
    const asked = keys.filter(({ projectId, reportId, assetId }) => [projectId, reportId, assetId].every(isUuid));
    return this.database.asSystem(async (tx) => {
      const select = async (sql: string, of: readonly Key[]): Promise<string[]> => {
        const columns = [of.map((key) => key.projectId), of.map((key) => key.reportId), of.map((key) => key.assetId)];
        const rows: { assetId: string }[] = of.length > 0 ? await tx.query(sql, columns) : [];
        return rows.map(({ assetId }) => assetId);
      };
      const inSlots = new Set(await select(SELECT_IN_SLOTS, asked));
      const elsewhere = asked.filter(({ assetId }) => !inSlots.has(assetId.toLowerCase()));
      return { assetIds: [...inSlots, ...(await select(SELECT_IN_REVISIONS, elsewhere))] };
    });
  }
}
