import { isSlotId, isUuid } from '@tire/kernel';

export interface ReportIdentity {
  readonly projectId: string;
  readonly reportId: string;
}

export interface AssetIdentity extends ReportIdentity {
  readonly slotId: string;
  readonly assetId: string;
}

/** S3 allows 1024 bytes; no key of ours comes near. */
const MAX_KEY_LENGTH = 512;
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/;

/** Plain segments only: such a key names the same object in a bucket, in an address and in a folder, and never leaves the folder. */
export const isObjectKey = (key: string): boolean =>
  key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => SEGMENT.test(segment));

/** What every key of ours begins with. */
export const ALL_OBJECTS = 'projects/';

export const projectPrefix = (projectId: string): string => `${ALL_OBJECTS}${projectId}/`.toLowerCase();

/** What every object of a report begins with, and no other one. */
export function reportPrefix({ projectId, reportId }: ReportIdentity): string {
  if (![projectId, reportId].every(isUuid)) throw new Error('Not the identity of a report');
  return `${projectPrefix(projectId)}reports/${reportId}/`.toLowerCase();
}

/** Where an upload lands. Whoever holds the address may write here until it expires. */
export function uploadKey({ slotId, assetId, ...report }: AssetIdentity): string {
  if (!isUuid(assetId) || !isSlotId(slotId)) throw new Error('Not the identity of an asset');
  return `${reportPrefix(report)}${slotId}/${assetId}`.toLowerCase();
}

/** Where the verified bytes are kept. No address that writes here is ever issued, and the name is the content's, so it cannot change. */
export const keptKey = (identity: AssetIdentity, sha256: Buffer): string => `${uploadKey(identity)}.${sha256.toString('hex')}`;

export interface StoredObject extends AssetIdentity {
  readonly key: string;
  /** Written by whoever held the address; else the verified bytes that were kept. */
  readonly isUpload: boolean;
}

const STORED = /^projects\/([^/]+)\/reports\/([^/]+)\/([^/]+)\/([^/.]+)(\.[0-9a-f]{64})?$/;

/** The object of an image, or undefined for a key that this service never made. */
export function parseObjectKey(key: string): StoredObject | undefined {
  const [, projectId, reportId, slotId, assetId, digest] = STORED.exec(key) ?? [];
  if (!projectId || !reportId || !slotId || !assetId) return undefined;
  if (![projectId, reportId, assetId].every(isUuid) || !isSlotId(slotId)) return undefined;
  return { key, projectId, reportId, slotId, assetId, isUpload: digest === undefined };
}
