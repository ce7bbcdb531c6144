import type { NetworkMaps } from './network-maps';

/** Across the tread from one shoulder to the other and a little beyond, in steps of a sixtieth of half its width. */
const BINS = 138;
const REACH = 1.15;
/** Softens the steps; its sum keeps a bin's share comparable with one pixel row. */
const KERNEL = [0.2, 0.6, 1, 0.6, 0.2];
const KERNEL_SUM = 2.6;
/** A place that hardly any pixel has says nothing about what runs there. */
const LEAST_ROOM = 0.15;

export interface PeakThresholds {
  /** Share of groove among the pixels of one place that begins a groove, and that ends it. */
  readonly peak: number;
  readonly floor: number;
}

/** For each pixel its place across the tread as a bin, -1 where there is no tread. */
export function placesOf({ tread, lateral }: NetworkMaps): Int16Array {
  return Int16Array.from(tread.data, (probability, i) =>
    probability > 0.5 ? Math.min(BINS - 1, Math.max(0, Math.floor(((lateral.data[i]! / REACH + 1) / 2) * BINS))) : -1,
  );
}

/** Pixels a bin; three thirds of it tell how evenly the tread faces the camera. */
export function roomOf(places: Int16Array): Float64Array {
  const room = new Float64Array(BINS);
  for (const place of places) if (place >= 0) room[place]!++;
  return room;
}

/** Stretches of places, from left to right, where grooves run: pixels of one groove share their place however the tire bends. */
export function lateralPeaks(maps: NetworkMaps, places: Int16Array, { peak, floor }: PeakThresholds): { low: number; high: number }[] {
  const votes = new Float64Array(BINS);
  places.forEach((place, i) => {
    if (place >= 0) votes[place]! += maps.groove.data[i]!;
  });
  const room = roomOf(places);
  const enough = (room.reduce((sum, count) => sum + count, 0) / BINS) * LEAST_ROOM * KERNEL_SUM;
  const smoothRoom = smoothed(room);
  const share = smoothed(votes).map((vote, bin) => (smoothRoom[bin]! > enough ? vote / Math.max(1e-3, smoothRoom[bin]!) : 0));
  return runsOf(share, peak, floor);
}

const smoothed = (values: Float64Array): Float64Array =>
  values.map((_, bin) => KERNEL.reduce((sum, weight, k) => sum + weight * (values[bin + k - 2] ?? 0), 0));

/** Stretches above the floor that reach the peak. */
function runsOf(share: Float64Array, peak: number, floor: number): { low: number; high: number }[] {
  const runs: { low: number; high: number }[] = [];
  let low = -1;
  for (let bin = 0; bin <= share.length; bin++) {
    const value = share[bin] ?? 0;
    if (value >= floor && low < 0) low = bin;
    if (value >= floor || low < 0) continue;
    if (Math.max(...share.subarray(low, bin)) >= peak) runs.push({ low, high: bin });
    low = -1;
  }
  return runs;
}
