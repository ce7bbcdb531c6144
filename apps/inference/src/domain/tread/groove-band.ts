import { median, type Point } from '../field';
import type { NetworkMaps } from './network-maps';

/** One groove in the upright frame: from row to row its middle and half its width, without a gap. */
export interface GrooveBand {
  /** Row of the first entry: rows are distances along the tread from the picture's corner, in pixels. */
  readonly top: number;
  readonly centres: readonly number[];
  readonly halves: readonly number[];
  readonly pixels: number;
  /** Mean probability of its pixels, times the share of its rows in which it was seen. */
  readonly score: number;
  readonly depthMm: number;
  /** Mean error expected of the depth of its pixels. */
  readonly spreadMm: number;
}

const SMOOTH_ROWS = 4;
/** Two sides of it are the polygon's points: under 200. */
const ROWS_PER_SIDE = 90;
/** Rows at the ends that hold less of the groove's width than this are its ragged tips. */
const TIP_SHARE = 0.35;

interface Row {
  count: number;
  sum: number;
}

/** The pixels of one stretch of places, as a band. Undefined where nothing is left of it. */
export function bandOf(maps: NetworkMaps, places: Int16Array, { low, high }: { low: number; high: number }): GrooveBand | undefined {
  const { groove, rotationRad } = maps;
  const [cos, sin] = [Math.cos(rotationRad), Math.sin(rotationRad)];
  const rows = new Map<number, Row>();
  const members: number[] = [];
  places.forEach((place, i) => {
    if (place < low - 1 || place > high || groove.data[i]! <= 0.5) return;
    const [x, y] = [i % groove.width, Math.floor(i / groove.width)];
    const row = Math.round(y * cos - x * sin);
    const entry = rows.get(row) ?? { count: 0, sum: 0 };
    entry.count++;
    entry.sum += x * cos + y * sin;
    rows.set(row, entry);
    members.push(i);
  });
  const span = spanOf(rows);
  if (!span) return undefined;
  const filled = withoutGaps(rows, span);
  const probability = members.reduce((sum, i) => sum + groove.data[i]!, 0) / members.length;
  return {
    top: span.top,
    centres: running(filled.map(({ centre }) => centre)),
    halves: running(filled.map(({ half }) => half)),
    pixels: members.length,
    score: probability * (filled.filter(({ seen }) => seen).length / filled.length),
    depthMm: weightedMedian(members.map((i) => ({ value: maps.depth.data[i]!, weight: 1 / maps.spread.data[i]! ** 2 }))),
    spreadMm: median(members.map((i) => maps.spread.data[i]!)),
  };
}

function spanOf(rows: Map<number, Row>): { top: number; bottom: number } | undefined {
  if (rows.size === 0) return undefined;
  const usual = median([...rows.values()].map(({ count }) => count));
  const whole = [...rows].filter(([, { count }]) => count >= TIP_SHARE * usual).map(([row]) => row);
  return { top: Math.min(...whole), bottom: Math.max(...whole) };
}

/** A stone or a leaf hides some rows: they lie on the line between their neighbours. */
function withoutGaps(rows: Map<number, Row>, { top, bottom }: { top: number; bottom: number }) {
  const seen = [...rows].filter(([row]) => row >= top && row <= bottom).sort(([a], [b]) => a - b);
  const filled: { centre: number; half: number; seen: boolean }[] = [];
  seen.forEach(([row, { count, sum }], i) => {
    const here = { centre: sum / count, half: Math.max(0.5, count / 2), seen: true };
    const before = filled[filled.length - 1];
    const gap = i === 0 ? 1 : row - seen[i - 1]![0];
    for (let step = 1; before && step < gap; step++) {
      const between = (a: number, b: number) => a + ((b - a) * step) / gap;
      filled.push({ centre: between(before.centre, here.centre), half: between(before.half, here.half), seen: false });
    }
    filled.push(here);
  });
  return filled;
}

const running = (values: readonly number[]): number[] =>
  values.map((_, i) => median(values.slice(Math.max(0, i - SMOOTH_ROWS), i + SMOOTH_ROWS + 1)));

function weightedMedian(entries: { value: number; weight: number }[]): number {
  const sorted = entries.sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  return sorted.find(({ weight }) => (passed += weight) >= total / 2)!.value;
}

/** Down its left side and up its right one: every row has one left and one right point, so that no edge crosses another. */
export function outlineOf({ top, centres, halves }: GrooveBand, rotationRad: number): Point[] {
  const step = Math.max(1, Math.ceil(centres.length / (ROWS_PER_SIDE - 1)));
  const [cos, sin] = [Math.cos(rotationRad), Math.sin(rotationRad)];
  const rows = centres.map((_, i) => i).filter((i) => i % step === 0 || i === centres.length - 1);
  const at = (i: number, side: -1 | 1): Point => {
    const [across, along] = [centres[i]! + side * halves[i]!, top + i];
    return { x: across * cos - along * sin, y: across * sin + along * cos };
  };
  return [...rows.map((i) => at(i, -1)), ...rows.reverse().map((i) => at(i, 1))];
}
