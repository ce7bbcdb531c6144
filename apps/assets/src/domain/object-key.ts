import { isSlotId, isUuid } from '@tire/kernel';

export interface AssetIdentity {
  readonly projectId: string;
  readonly reportId: string;
  readonly slotId: string;
  readonly assetId: string;
}

/** S3 allows 1024 bytes; no key of ours comes near. */
const MAX_KEY_LENGTH = 512;
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/;

/** Plain segments only: such a key names the same object in a bucket, in an address and in a folder, and never leaves the folder. */
export const isObjectKey = (key: string): boolean =>
  key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => SEGMENT.test(segment));

/** Where an upload lands. Whoever holds the address may write here until it expires. */
export function uploadKey({ projectId, reportId, slotId, assetId }: AssetIdentity): string {
  if (![projectId, reportId, assetId].every(isUuid) || !isSlotId(slotId)) throw new Error('Not the identity of an asset');
  return `projects/${projectId}/reports/${reportId}/${slotId}/${assetId}`.toLowerCase();
}

/** Where the verified bytes are kept. No address that writes here is ever issued, and the name is the content's, so it cannot change. */
export const keptKey = (identity: AssetIdentity, sha256: Buffer): string => `${uploadKey(identity)}.${sha256.toString('hex')}`;
