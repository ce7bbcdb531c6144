import { timeOfId } from '@tire/kernel';
import { uploadKey, type StoredObject } from './object-key';
import { UPLOAD_LIFETIME_SECONDS } from './upload-lifetime';

/** The columns of an asset that cleaning needs. */
export interface RecordedAsset {
  readonly assetId: string;
  readonly objectKey: string;
  /** Since when no report refers to it; null while one does, and before the first walk. */
  readonly unusedSince: Date | null;
}

/**
 * keep: no change. unused: first seen without a reference. used: referred to again. Removed are `unrecorded` (bytes without a row),
 * `copy` (an upload whose verified bytes are stored under their own key) and `replaced` (row and bytes without a reference).
 */
export type Finding = 'keep' | 'unused' | 'used' | 'unrecorded' | 'copy' | 'replaced';

/** Time between the last registration of an upload and its removal. */
const REGISTRATION_MARGIN_MS = 900_000;

const targetAgeMs = (assetId: string, now: Date): number => now.getTime() - timeOfId(assetId).getTime() - UPLOAD_LIFETIME_SECONDS * 1000;

/** Younger objects are skipped: their upload address is still valid, or their registration or first fetch is still running. */
export const isOldEnough = (assetId: string, now: Date, graceMs: number): boolean => targetAgeMs(assetId, now) > graceMs;

/** Registration refuses unrecorded bytes some time before the cleaner removes them, so that the two never overlap. */
export const mayStillBeRecorded = (assetId: string, now: Date, graceMs: number): boolean =>
  targetAgeMs(assetId, now) <= graceMs - REGISTRATION_MARGIN_MS;

/** Ids that were imported from another system may repeat, so a row counts only for the bytes of its own report. */
const namesBytesOf = (asset: RecordedAsset, object: StoredObject): boolean => asset.objectKey.startsWith(`${uploadKey(object)}.`);

/**
 * Only for objects that are old enough. An image in use without a row is being fetched, perhaps again after days, and will get its
 * row. An unused image comes into use again only through a registration, which removes its mark.
 */
export function judge(object: StoredObject, asset: RecordedAsset | undefined, isInUse: boolean, now: Date, graceMs: number): Finding {
  if (!asset || !namesBytesOf(asset, object)) return isInUse ? 'keep' : 'unrecorded';
  if (asset.objectKey !== object.key) return 'copy';
  if (isInUse) return asset.unusedSince ? 'used' : 'keep';
  if (!asset.unusedSince) return 'unused';
  return now.getTime() - asset.unusedSince.getTime() > graceMs ? 'replaced' : 'keep';
}
