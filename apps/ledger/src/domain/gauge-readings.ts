import type { Analysis } from '@tire/contracts/api';

interface GrooveReading {
  readonly measuredMm: number;
  readonly gaugeMm: number | undefined;
  /** The middle of the outline in the stored pixels, which tells where the groove is across the image. */
  readonly place: { readonly x: number; readonly y: number } | undefined;
}

/** Every groove of a tread with gauge values; none where all were withdrawn. */
export function gaugeReadings({ result, gauge = [] }: Analysis): GrooveReading[] {
  if (!result || !('individual_depths' in result) || gauge.length === 0) return [];
  return result.individual_depths.individual_remaining_depth.map((depthMm, index): GrooveReading => {
    const value = gauge.find(({ groove }) => groove === index + 1);
    const outline = result.groove_masks[index]?.polygon_xy_norm ?? [];
    const mean = (axis: 0 | 1) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length;
    return {
      measuredMm: value?.measured_mm ?? depthMm,
      gaugeMm: value?.depth_mm,
      place: outline.length > 0 ? { x: mean(0), y: mean(1) } : undefined,
    };
  });
}
