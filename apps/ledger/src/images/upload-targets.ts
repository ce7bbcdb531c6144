import type { UploadTarget } from '@tire/contracts/api';
import type { assetsApi } from '@tire/contracts/grpc';
import { MODULE_TYPE, parseSlotId } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';

/** Upload addresses for the slots of a report, in the form of the public contract. They are signatures, so issuing them changes nothing. */
export async function issueTargets(
  assets: PromiseClient<assetsApi.AssetServiceClient>,
  { projectId, reportId }: { readonly projectId: string; readonly reportId: string },
  slotIds: readonly string[],
): Promise<UploadTarget[]> {
  if (slotIds.length === 0) return [];
  const { targets } = await assets.issueTargets({ projectId, reportId, slotIds: [...slotIds] });
  return targets.map((target) => ({
    asset_id: target.assetId,
    module_type: MODULE_TYPE,
    slot: parseSlotId(target.slotId),
    upload_url: target.uploadUrl,
    required_headers: target.requiredHeaders,
    expires_at: target.expiresAt,
  }));
}
