import { roundDepth } from '@tire/kernel';
import type { TreadResult } from '../../api';

export const depthsMm = [5.1, 5.4, 5.3, 5] as const;

const intervalOf = (depthMm: number): [number, number] => [roundDepth(depthMm - 0.5), roundDepth(depthMm + 0.5)];

/** The result of one tread, shown in all examples. */
export const tread: TreadResult = {
  aggregated_depth: { aggregated_remaining_depth: 5.2, estimated_lifetime: 30_000, depth_interval_mm: [4.7, 5.7] },
  individual_depths: { individual_remaining_depth: [...depthsMm], depth_intervals_mm: depthsMm.map(intervalOf) },
  tire_rotation: 0,
  vehicle_side: 'right',
  groove_masks: depthsMm.map((depth_mm, index) => {
    const [left, right] = [0.2 + index * 0.15, 0.25 + index * 0.15].map((x) => Math.round(x * 100) / 100) as [number, number];
    const polygon_xy_norm: [number, number][] = [
      [left, 0.9],
      [left, 0.1],
      [right, 0.1],
      [right, 0.9],
    ];
    return { depth_mm, score: 0.97, polygon_xy_norm, depth_interval_mm: intervalOf(depth_mm) };
  }),
  tread_roi: { bbox_xyxy_norm: [0.15, 0.05, 0.85, 0.95] },
  bald_zones: { share_of_width: 0, worn_smooth: false, zones: [] },
  unseen_parts: [],
};
