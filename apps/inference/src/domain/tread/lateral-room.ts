import type { NetworkMaps } from './network-maps';

/** Across the tread from one shoulder to the other and a little beyond, in steps of a sixtieth of half its width. */
const BINS = 138;
const REACH = 1.15;

/** Pixels of the tread at each place across it: three thirds of them tell how evenly it faces the camera. */
export function roomOf({ tread, lateral }: NetworkMaps): Float64Array {
  const room = new Float64Array(BINS);
  tread.data.forEach((probability, i) => {
    if (probability > 0.5) room[Math.min(BINS - 1, Math.max(0, Math.floor(((lateral.data[i]! / REACH + 1) / 2) * BINS)))]!++;
  });
  return room;
}
