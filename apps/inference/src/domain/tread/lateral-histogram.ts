import { treadPixels, type TreadMaps } from './tread-maps';

/** Across what is seen of the tread and a little beyond, in steps of a sixtieth of half its width. */
const BINS = 138;
const REACH = 1.15;

/** Pixels of the tread at each place across it: three thirds of them tell how evenly it faces the camera. */
export function lateralHistogram(maps: TreadMaps): Float64Array {
  const histogram = new Float64Array(BINS);
  for (const i of treadPixels(maps)) {
    histogram[Math.min(BINS - 1, Math.max(0, Math.floor(((maps.lateral.data[i]! / REACH + 1) / 2) * BINS)))]!++;
  }
  return histogram;
}
