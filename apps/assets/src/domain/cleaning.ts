import { timeOfId } from '@tire/kernel';
import { uploadKey, type StoredObject } from './object-key';
import { UPLOAD_LIFETIME_SECONDS } from './upload-lifetime';

/** What the database says of the image that an object belongs to. */
export interface RecordedAsset {
  readonly assetId: string;
  readonly objectKey: string;
  /** Null for rows of a release that did not record it: there the upload in the store says that it is one. */
  readonly origin: 'upload' | 'url' | null;
  /** Since when no report refers to it; null while one does, or while nobody has looked. */
  readonly unusedSince: Date | null;
}

/**
 * keep: as it is. unused: first seen without a reference. used: referred to again. What goes is `unrecorded` (bytes without a row),
 * a `copy` (what was uploaded, once its verified bytes are kept elsewhere) or `replaced` (row and bytes without a reference).
 */
export type Finding = 'keep' | 'unused' | 'used' | 'unrecorded' | 'copy' | 'replaced';

/** A registration that began in time has ended this long before the cleaner looks. */
const REGISTRATION_MARGIN_MS = 900_000;

const targetAgeMs = (assetId: string, now: Date): number => now.getTime() - timeOfId(assetId).getTime() - UPLOAD_LIFETIME_SECONDS * 1000;

/** Nothing younger is looked at: its upload address may still be used, its registration or its first fetch still be under way. */
export const isOldEnough = (assetId: string, now: Date, graceMs: number): boolean => targetAgeMs(assetId, now) > graceMs;

/** Bytes that were never recorded are refused a while before they are removed, so that no registration meets the cleaner. */
export const mayStillBeRecorded = (assetId: string, now: Date, graceMs: number): boolean =>
  targetAgeMs(assetId, now) <= graceMs - REGISTRATION_MARGIN_MS;

/** Ids that came with reports of another system may repeat: the row of one report says nothing about the bytes of another one. */
const namesBytesOf = (asset: RecordedAsset, object: StoredObject): boolean => asset.objectKey.startsWith(`${uploadKey(object)}.`);

/**
 * Only for objects that are old enough. An image without a row that a slot stands on is being fetched, perhaps again after days:
 * its row will come. An image that nothing refers to is never referred to again without a registration, which takes its mark away.
 */
export function judge(object: StoredObject, asset: RecordedAsset | undefined, isInUse: boolean, now: Date, graceMs: number): Finding {
  if (!asset || !namesBytesOf(asset, object)) return isInUse ? 'keep' : 'unrecorded';
  if (asset.objectKey !== object.key) return object.isUpload && asset.origin === null ? 'keep' : 'copy';
  if (isInUse) return asset.unusedSince ? 'used' : 'keep';
  if (!asset.unusedSince) return 'unused';
  return now.getTime() - asset.unusedSince.getTime() > graceMs ? 'replaced' : 'keep';
}
