import type { RetakeReason } from '@tire/kernel';
import { widthOf, type Span } from './bald-zones';
import type { TreadMaps } from './tread-maps';

export interface SmoothThresholds {
  /** Higher than for a tread with grooves, which prove that it is one. */
  readonly minIsTreadSmooth: number;
  /** Minimum shares of the map that is tread, and of the tread that is bald. */
  readonly minTreadShareSmooth: number;
  readonly minBaldAreaSmooth: number;
  /** In the dark, rubber shows no pattern. */
  readonly minBrightnessSmooth: number;
}

/** Share of the tread's pixels that are bald. */
export function baldArea({ bald }: TreadMaps, tread: Int32Array): number {
  let count = 0;
  for (let k = 0; k < tread.length; k++) if (bald && bald.data[tread[k]!]! > 0.5) count++;
  return count / Math.max(1, tread.length);
}

/**
 * The image surely shows a tread, and the pattern is worn off it. A blurred, dark or distant tread also seems smooth: with any fault of the
 * image this result is not given.
 */
export function isWornSmooth(
  maps: TreadMaps,
  tread: Int32Array,
  spans: readonly Span[],
  reasons: readonly RetakeReason[],
  thresholds: SmoothThresholds,
): boolean {
  return (
    reasons.length === 0 &&
    maps.isTread >= thresholds.minIsTreadSmooth &&
    maps.brightness >= thresholds.minBrightnessSmooth &&
    tread.length >= thresholds.minTreadShareSmooth * maps.tread.data.length &&
    baldArea(maps, tread) >= thresholds.minBaldAreaSmooth &&
    widthOf(spans) >= thresholds.minBaldAreaSmooth
  );
}
