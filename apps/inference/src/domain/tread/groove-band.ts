import { median, type Field, type Point } from '../field';
import type { UprightFrame } from './upright-frame';
import type { TreadMaps } from './tread-maps';
import type { Path } from './best-path';

/** One groove in the upright frame: centre and half width of each row, without gaps. */
export interface GrooveBand {
  readonly top: number;
  readonly centres: readonly number[];
  readonly halves: readonly number[];
  readonly pixels: number;
  /** Mean probability of its pixels, times the share of rows in which the groove is visible. */
  readonly score: number;
  readonly depthMm: number;
  /** Ends of the network's 90 % interval, where it gives one. */
  readonly intervalMm: readonly [low: number, high: number] | undefined;
  /** Mean expected error of the depth of its pixels. */
  readonly spreadMm: number;
}

/** Left and right wall of a groove along a traced line, row by row; null where the line crosses a gap. */
export type Walls = readonly ({ readonly left: number; readonly right: number } | null)[];

const INSIDE = 0.5;
const SMOOTH_ROWS = 4;
/** The polygon has two sides: below 200 points. */
const ROWS_PER_SIDE = 90;

/**
 * Searches outwards from the line for the subpixel position where the probability falls below one half. A groove is at most `reach` wide on
 * each side.
 */
export function wallsOf({ width, data }: Field, { top, xs }: Path, reach: number): Walls {
  return xs.map((x, i) => {
    const at = (column: number) => (column < 0 || column >= width ? 0 : data[(top + i) * width + column]!);
    if (at(x) < INSIDE) return null;
    const wall = (side: -1 | 1) => {
      let d = 1;
      while (d < reach && at(x + side * d) >= INSIDE) d++;
      const [inside, outside] = [at(x + side * (d - 1)), at(x + side * d)];
      return d - 1 + Math.min(1, (inside - INSIDE) / Math.max(1e-6, inside - outside));
    };
    return { left: x - wall(-1), right: x + wall(1) };
  });
}

/** The groove between the walls. Undefined where nothing remains. */
export function bandOf(maps: TreadMaps, frame: UprightFrame, top: number, walls: Walls): GrooveBand | undefined {
  const seen = walls.filter((wall) => wall !== null);
  const inside = pixelsOf(maps, frame, top, walls);
  if (seen.length === 0 || inside.length === 0) return undefined;
  const filled = withoutGaps(walls);
  return {
    top,
    centres: running(filled.map(({ left, right }) => (left + right) / 2)),
    halves: running(filled.map(({ left, right }) => (right - left) / 2)),
    pixels: inside.length,
    score: (inside.reduce((sum, i) => sum + maps.groove.data[i]!, 0) / inside.length) * (seen.length / walls.length),
    depthMm: medianOf(maps.depth, maps.spread, inside),
    intervalMm: maps.depthLow &&
      maps.depthHigh && [medianOf(maps.depthLow, maps.spread, inside), medianOf(maps.depthHigh, maps.spread, inside)],
    spreadMm: median(inside.map((i) => maps.spread.data[i]!)),
  };
}

/** The pixels of the maps under the groove, each once. */
function pixelsOf({ groove }: TreadMaps, frame: UprightFrame, top: number, walls: Walls): number[] {
  const pixels = new Set<number>();
  walls.forEach((wall, i) => {
    for (let x = Math.ceil(wall?.left ?? 1); x <= (wall?.right ?? 0); x++) {
      const at = frame.toImage(x, top + i);
      const [column, row] = [Math.round(at.x), Math.round(at.y)];
      const isThere = column >= 0 && row >= 0 && column < groove.width && row < groove.height;
      if (isThere && groove.data[row * groove.width + column]! >= INSIDE) pixels.add(row * groove.width + column);
    }
  });
  return [...pixels];
}

/** Interpolates rows that a stone or a leaf hides. */
function withoutGaps(walls: Walls): { left: number; right: number }[] {
  const rows = walls.flatMap((wall, i) => (wall ? [{ i, ...wall }] : []));
  let next = 0;
  return walls.map((wall, i) => {
    if (wall) return wall;
    while (next < rows.length && rows[next]!.i < i) next++;
    const [before, after] = [rows[next - 1] ?? rows[next]!, rows[next] ?? rows[next - 1]!];
    const share = after.i === before.i ? 0 : (i - before.i) / (after.i - before.i);
    const between = (a: number, b: number) => a + (b - a) * share;
    return { left: between(before.left, after.left), right: between(before.right, after.right) };
  });
}

const running = (values: readonly number[]): number[] =>
  values.map((_, i) => median(values.slice(Math.max(0, i - SMOOTH_ROWS), i + SMOOTH_ROWS + 1)));

const medianOf = (field: Field, spread: Field, pixels: readonly number[]): number =>
  weightedMedian(pixels.map((i) => ({ value: field.data[i]!, weight: 1 / spread.data[i]! ** 2 })));

function weightedMedian(entries: { value: number; weight: number }[]): number {
  const sorted = entries.sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  return sorted.find(({ weight }) => (passed += weight) >= total / 2)!.value;
}

/** Down the left side and up the right one: each row has one point on each side, so that no edge crosses another. */
export function outlineOf({ top, centres, halves }: Pick<GrooveBand, 'top' | 'centres' | 'halves'>, frame: UprightFrame): Point[] {
  const step = Math.max(1, Math.ceil(centres.length / (ROWS_PER_SIDE - 1)));
  const rows = centres.map((_, i) => i).filter((i) => i % step === 0 || i === centres.length - 1);
  const at = (i: number, side: -1 | 1): Point => frame.toImage(centres[i]! + side * halves[i]!, top + i);
  return [...rows.map((i) => at(i, -1)), ...rows.reverse().map((i) => at(i, 1))];
}
