import { quantile } from '../field';
import { groovesOnTread } from './grooves-on-tread';
import { TREAD, type TreadMaps } from './tread-maps';

/** A part of which less than this share lies in front of or behind the largest one is beside it. */
const IN_LINE = 0.5;
/** One pixel in twenty at each end may be stray. */
const STRAY = 0.05;

/**
 * The maps with the tread of one tire only: the network also marks tires that stand beside it on an axle or rack. The largest part of the tread
 * stays, and what lies in front of it or behind it along the tire, as where a strap or a hand divides it.
 */
export function mainTread(maps: TreadMaps): TreadMaps {
  const [largest, ...others] = partsOf(maps);
  if (!largest || others.length === 0) return maps;
  const { directionRad } = groovesOnTread(maps);
  const main = spanOf(largest, maps, directionRad);
  const beside = others.filter((part) => shareWithin(spanOf(part, maps, directionRad), main) < IN_LINE);
  if (beside.length === 0) return maps;
  const data = maps.tread.data.slice();
  for (const { from, until } of beside.flat()) data.fill(0, from, until);
  return { ...maps, tread: { ...maps.tread, data } };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the pixels of a part are across the tire. */
function spanOf(part: readonly Run[], { tread: { width } }: TreadMaps, directionRad: number): Span {
  const [cos, sin] = [Math.cos(directionRad), Math.sin(directionRad)];
  const places = new Float64Array(sizeOf(part));
  let count = 0;
  for (const { from, until } of part) {
    const row = Math.floor(from / width);
    for (let x = from - row * width; x < until - row * width; x++) places[count++] = x * cos + row * sin;
  }
  return { from: quantile(places, STRAY), to: quantile(places, 1 - STRAY) };
}

const shareWithin = (part: Span, main: Span): number =>
  (Math.min(part.to, main.to) - Math.max(part.from, main.from)) / Math.max(1, part.to - part.from);

/** Pixels side by side in one row. */
interface Run {
  readonly from: number;
  readonly until: number;
  /** A run of the same part; the first one of the part is its own. */
  root: number;
}

/** Connected pixels of the tread, the largest part first. */
function partsOf(maps: TreadMaps): Run[][] {
  const runs = runsOf(maps);
  const rootOf = (i: number): number => {
    while (runs[i]!.root !== i) i = runs[i]!.root;
    return i;
  };
  const { width } = maps.tread;
  let above = 0;
  for (const [i, run] of runs.entries()) {
    while (runs[above]!.until <= run.from - width) above++;
    for (let other = above; runs[other]!.from < run.until - width; other++) {
      const [a, b] = [rootOf(other), rootOf(i)];
      runs[Math.max(a, b)]!.root = Math.min(a, b);
    }
  }
  const members = new Map<number, Run[]>();
  for (const [i, run] of runs.entries()) {
    // A root comes before its run and has its own root already.
    run.root = runs[run.root]!.root;
    const before = members.get(run.root);
    if (before) before.push(run);
    else members.set(i, [run]);
  }
  return [...members.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
}

function runsOf({ tread: { width, data } }: TreadMaps): Run[] {
  const runs: Run[] = [];
  let from = -1;
  for (let i = 0, column = 0; i < data.length; i++) {
    const isTread = data[i]! > TREAD;
    if (isTread && from < 0) from = i;
    column = column === width - 1 ? 0 : column + 1;
    if (from >= 0 && (!isTread || column === 0)) {
      runs.push({ from, until: isTread ? i + 1 : i, root: runs.length });
      from = -1;
    }
  }
  return runs;
}

const sizeOf = (part: readonly Run[]): number => part.reduce((sum, { from, until }) => sum + until - from, 0);
