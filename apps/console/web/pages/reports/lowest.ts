import type { TreadResult } from '@tire/contracts/api';

type Interval = readonly [lowMm: number, highMm: number];

/** The number of a tire is its lowest groove; null without grooves. */
export function lowestMm({ individual_depths: { individual_remaining_depth: depthsMm } }: TreadResult): number | null {
  return depthsMm.length === 0 ? null : Math.min(...depthsMm);
}

/** That of the lowest groove, where the engine measured intervals. */
export function lowestInterval({ individual_depths }: TreadResult): Interval | null {
  const { individual_remaining_depth: depthsMm, depth_intervals_mm } = individual_depths;
  return depth_intervals_mm?.[depthsMm.indexOf(Math.min(...depthsMm))] ?? null;
}
