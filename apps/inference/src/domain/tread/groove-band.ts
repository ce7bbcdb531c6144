import { median, type Field, type Point } from '../field';
import type { UprightFrame } from './upright-frame';
import type { TreadMaps } from './tread-maps';
import type { Path } from './best-path';

/** One groove in the upright frame: centre and half width of each row, without gaps. */
export interface GrooveBand {
  readonly top: number;
  readonly centres: readonly number[];
  readonly halves: readonly number[];
  /** Indices of its pixels in the maps, each once. */
  readonly pixels: readonly number[];
  /** Mean probability of its pixels, times the share of rows in which the groove is visible. */
  readonly score: number;
}

export interface MeasuredBand extends GrooveBand {
  readonly depthMm: number;
  /** Ends of the network's 90 % interval, where it gives one. */
  readonly intervalMm: readonly [low: number, high: number] | undefined;
  /** Mean expected error of the depth of its pixels. */
  readonly spreadMm: number;
}

/** Left and right wall of a groove along a traced line, row by row; null where the line crosses a gap. */
export type Walls = readonly ({ readonly left: number; readonly right: number } | null)[];

/** Of each pixel of the maps, the number of the line that took it last, from 1 on; and the line that takes now. */
export interface Taken {
  readonly by: Uint8Array;
  readonly line: number;
}

const INSIDE = 0.5;
const SMOOTH_ROWS = 4;
const DEPTH_BINS = 256;
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
export function bandOf(maps: TreadMaps, frame: UprightFrame, top: number, walls: Walls, taken: Taken): GrooveBand | undefined {
  const seen = walls.filter((wall) => wall !== null);
  const pixels = pixelsOf(maps, frame, top, walls, taken);
  if (seen.length === 0 || pixels.length === 0) return undefined;
  let sum = 0;
  for (const i of pixels) sum += maps.groove.data[i]!;
  const filled = withoutGaps(walls);
  return {
    top,
    centres: running(filled.map(({ left, right }) => (left + right) / 2)),
    halves: running(filled.map(({ left, right }) => (right - left) / 2)),
    pixels,
    score: (sum / pixels.length) * (seen.length / walls.length),
  };
}

export function measuredBand({ depth, depthLow, depthHigh, spread }: TreadMaps, band: GrooveBand): MeasuredBand {
  const spreads = valuesAt(band.pixels, spread);
  const weights = spreads.map((one) => 1 / (one * one));
  const medianOf = (field: Field) => weightedMedian(valuesAt(band.pixels, field), weights);
  return {
    ...band,
    depthMm: medianOf(depth),
    intervalMm: depthLow && depthHigh && [medianOf(depthLow), medianOf(depthHigh)],
    spreadMm: median(spreads),
  };
}

/** The pixels of the maps under the groove, each once. */
function pixelsOf(
  { groove: { width, height, data } }: TreadMaps,
  frame: UprightFrame,
  top: number,
  walls: Walls,
  { by, line }: Taken,
): number[] {
  const pixels: number[] = [];
  for (const [i, wall] of walls.entries()) {
    if (!wall) continue;
    for (let x = Math.ceil(wall.left); x <= wall.right; x++) {
      const at = frame.toImage(x, top + i);
      const [column, row] = [Math.round(at.x), Math.round(at.y)];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const pixel = row * width + column;
      if (data[pixel]! < INSIDE || by[pixel] === line) continue;
      by[pixel] = line;
      pixels.push(pixel);
    }
  }
  return pixels;
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

/** The median of each row and the rows near it. */
function running(values: readonly number[]): number[] {
  const sorted = new Float64Array(2 * SMOOTH_ROWS + 1);
  return values.map((_, i) => {
    const [from, to] = [Math.max(0, i - SMOOTH_ROWS), Math.min(values.length - 1, i + SMOOTH_ROWS)];
    for (let row = from; row <= to; row++) {
      let at = row - from;
      for (; at > 0 && sorted[at - 1]! > values[row]!; at--) sorted[at] = sorted[at - 1]!;
      sorted[at] = values[row]!;
    }
    return sorted[(to - from + 1) >> 1]!;
  });
}

function valuesAt(pixels: readonly number[], { data }: Field): Float64Array {
  const values = new Float64Array(pixels.length);
  for (let i = 0; i < values.length; i++) values[i] = data[pixels[i]!]!;
  return values;
}

/** The smallest value with half of the weight at or below it. Only the values in its bin are sorted. */
function weightedMedian(values: Float64Array, weights: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    least = Math.min(least, values[i]!);
    most = Math.max(most, values[i]!);
  }
  const perMm = (DEPTH_BINS - 1) / Math.max(1e-9, most - least);
  const bins = new Uint8Array(values.length);
  const weightOf = new Float64Array(DEPTH_BINS);
  for (let i = 0; i < values.length; i++) {
    bins[i] = (values[i]! - least) * perMm;
    weightOf[bins[i]!]! += weights[i]!;
  }
  const half = weightOf.reduce((sum, weight) => sum + weight, 0) / 2;
  let [bin, below] = [0, 0];
  while (bin < DEPTH_BINS - 1 && below + weightOf[bin]! < half) below += weightOf[bin++]!;
  const members: number[] = [];
  for (let i = 0; i < values.length; i++) if (bins[i] === bin) members.push(i);
  members.sort((a, b) => values[a]! - values[b]!);
  return values[members.find((i) => (below += weights[i]!) >= half) ?? members.at(-1)!]!;
}

/** Down the left side and up the right one: each row has one point on each side, so that no edge crosses another. */
export function outlineOf({ top, centres, halves }: Pick<GrooveBand, 'top' | 'centres' | 'halves'>, frame: UprightFrame): Point[] {
  const step = Math.max(1, Math.ceil(centres.length / (ROWS_PER_SIDE - 1)));
  const rows = centres.map((_, i) => i).filter((i) => i % step === 0 || i === centres.length - 1);
  const at = (i: number, side: -1 | 1): Point => frame.toImage(centres[i]! + side * halves[i]!, top + i);
  return [...rows.map((i) => at(i, -1)), ...rows.reverse().map((i) => at(i, 1))];
}
