import type { TreadMeasurement } from '@tire/contracts/events';
import type { Point } from '../../src/domain/field';

/** Maps a point of the stored pixels to the upright image, by EXIF orientation (1 to 8). */
const SHOWN: Record<number, (point: Point) => Point> = {
  1: ({ x, y }) => ({ x, y }),
  2: ({ x, y }) => ({ x: 1 - x, y }),
  3: ({ x, y }) => ({ x: 1 - x, y: 1 - y }),
  4: ({ x, y }) => ({ x, y: 1 - y }),
  5: ({ x, y }) => ({ x: y, y: x }),
  6: ({ x, y }) => ({ x: 1 - y, y: x }),
  7: ({ x, y }) => ({ x: 1 - y, y: 1 - x }),
  8: ({ x, y }) => ({ x: y, y: 1 - x }),
};

export interface Shown {
  readonly width: number;
  readonly height: number;
  /** EXIF orientation; 1 where there is none. */
  readonly orientation: number;
}

export interface MeasuredGroove {
  readonly depthMm: number;
  /** Its 90 % interval, where the engine gives one. */
  readonly intervalMm: readonly [low: number, high: number] | null;
}

/**
 * The measured grooves in the order in which a person counts the grooves of the upright image: from left to right, or from the top down
 * where grooves are closer to horizontal.
 */
export function groovesAcross({ grooveMasks }: TreadMeasurement, { width, height, orientation }: Shown): MeasuredGroove[] {
  const shownAt = SHOWN[orientation] ?? SHOWN[1]!;
  const [across, down] = orientation > 4 ? [height, width] : [width, height];
  const seen = grooveMasks.map(({ depthMm, depthInterval, polygonXyNorm }) => {
    const points = polygonXyNorm.map(shownAt);
    const intervalMm = depthInterval ? ([depthInterval.lowMm, depthInterval.highMm] as const) : null;
    return { depthMm: depthMm ?? NaN, intervalMm, x: across * mean(points.map(({ x }) => x)), y: down * mean(points.map(({ y }) => y)) };
  });
  const beside = reach(seen.map(({ x }) => x)) >= reach(seen.map(({ y }) => y));
  return seen.sort((a, b) => (beside ? a.x - b.x : a.y - b.y)).map(({ depthMm, intervalMm }) => ({ depthMm, intervalMm }));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const reach = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
