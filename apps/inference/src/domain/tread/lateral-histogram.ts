import type { TreadMaps } from './tread-maps';

/** Bins over the visible tread and a little beyond; each is a sixtieth of half its width. */
const BINS = 138;
const REACH = 1.15;

/** Number of tread pixels at each lateral position. The outer thirds show whether the tread faces the camera evenly. */
export function lateralHistogram({ lateral: { data } }: TreadMaps, tread: Int32Array): Float64Array {
  const histogram = new Float64Array(BINS);
  for (let k = 0; k < tread.length; k++) {
    histogram[Math.min(BINS - 1, Math.max(0, Math.floor(((data[tread[k]!]! / REACH + 1) / 2) * BINS)))]!++;
  }
  return histogram;
}
