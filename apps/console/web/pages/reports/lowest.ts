import type { TreadResult } from '@tire/contracts/api';

type Interval = readonly [lowMm: number, highMm: number];

/** The depth of a tire is that of its lowest groove; null without grooves. */
export function lowestMm({ individual_depths: { individual_remaining_depth: depthsMm } }: TreadResult): number | null {
  return depthsMm.length === 0 ? null : Math.min(...depthsMm);
}

/** The interval that the customer sees. Any groove may be the lowest one. Null if the engine measured no intervals. */
export function lowestInterval({ individual_depths: { depth_intervals_mm: intervals } }: TreadResult): Interval | null {
  if (!intervals || intervals.length === 0) return null;
  return [Math.min(...intervals.map(([low]) => low)), Math.min(...intervals.map(([, high]) => high))];
}
