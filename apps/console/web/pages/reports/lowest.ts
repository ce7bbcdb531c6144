import type { TreadResult } from '@tire/contracts/api';

type Interval = readonly [lowMm: number, highMm: number];

/** The number of a tire is its lowest groove; null without grooves. */
export function lowestMm({ individual_depths: { individual_remaining_depth: depthsMm } }: TreadResult): number | null {
  return depthsMm.length === 0 ? null : Math.min(...depthsMm);
}

/** As the customer reads it: any groove may be the lowest one. Null where the engine measured no intervals. */
export function lowestInterval({ individual_depths: { depth_intervals_mm: intervals } }: TreadResult): Interval | null {
  if (!intervals || intervals.length === 0) return null;
  return [Math.min(...intervals.map(([low]) => low)), Math.min(...intervals.map(([, high]) => high))];
}
