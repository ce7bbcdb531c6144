import { median, type Field, type Point } from '../field';
import { outlineOf } from './groove-band';
import { isSwappedAt, type TreadMaps } from './tread-maps';
import { turned, type UprightFrame } from './upright-frame';

export interface BaldThresholds {
  /** Narrower zones, as a share of the visible width, are errors of the map. */
  readonly minBaldShare: number;
}

/** From the left edge of the visible tread in the upright frame, as shares of its width. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type BaldPlace = 'whole' | 'first_shoulder' | 'center' | 'last_shoulder';

const BINS = 40;
const BALD = 0.5;
/** A bin with fewer of the pixels of a median bin is hardly visible. */
const MIN_VISIBLE = 0.1;
/** A bald strip may be interrupted by the shadow of a worn groove. */
const LARGEST_GAP = 0.05;
const WHOLE = 0.7;
/** The share of the pixels in a row of a zone that is ignored on each side: the edges of the lateral map are rough. */
const STRAY = 0.05;
const MIN_ROW_PX = 3;

/** Where most of the visible tread is bald, merged over small gaps. */
export function baldSpans(maps: TreadMaps, tread: Int32Array, frame: UprightFrame, { minBaldShare }: BaldThresholds): Span[] {
  const [bald, lateral] = [maps.bald?.data, maps.lateral.data];
  if (!bald) return [];
  const place = placing(maps, frame);
  const [seen, worn] = [new Float64Array(BINS), new Float64Array(BINS)];
  for (let k = 0; k < tread.length; k++) {
    const i = tread[k]!;
    const bin = Math.min(BINS - 1, Math.floor(place(lateral[i]!) * BINS));
    seen[bin]!++;
    if (bald[i]! > BALD) worn[bin]!++;
  }
  const fewest = MIN_VISIBLE * median(seen);
  const isBald = [...seen].map((count, bin) => count > fewest && worn[bin]! > count / 2);
  return merged(isBald.flatMap((is, bin) => (is ? [{ from: bin / BINS, to: (bin + 1) / BINS }] : []))).filter(
    ({ from, to }) => to - from >= minBaldShare - 1e-9,
  );
}

const merged = (spans: readonly Span[]): Span[] =>
  spans.reduce<Span[]>((all, one) => {
    const last = all.at(-1);
    if (!last || one.from - last.to > LARGEST_GAP + 1e-9) return [...all, one];
    return [...all.slice(0, -1), { from: last.from, to: one.to }];
  }, []);

/** From the network's lateral position to the share of the width in the upright frame, which may be half a turn on. */
function placing(maps: TreadMaps, { angleRad }: UprightFrame): (lateral: number) => number {
  const sign = isSwappedAt(maps, angleRad) ? -1 : 1;
  return (lateral) => Math.min(1, Math.max(0, (sign * lateral + 1) / 2));
}

export const widthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** The same seen from the other edge. */
export const fromOtherEdge = ({ from, to }: Span): Span => ({ from: 1 - to, to: 1 - from });

export function placeOf({ from, to }: Span): BaldPlace {
  if (to - from >= WHOLE) return 'whole';
  const middle = (from + to) / 2;
  return middle < 1 / 3 ? 'first_shoulder' : middle > 2 / 3 ? 'last_shoulder' : 'center';
}

/** The visible tread between two lateral positions, as a polygon in the maps; empty where no row shows it. */
export function outlineOfSpan(maps: TreadMaps, frame: UprightFrame, { from, to }: Span): Point[] {
  const place = placing(maps, frame);
  const [tread, lateral] = [turned(maps.tread, frame), turned(maps.lateral, frame)];
  const rows = Array.from({ length: frame.height }, (_, y) => columnsOf(tread, y, (at) => place(lateral.data[at]!), { from, to }));
  const seen = rows.flatMap((row, y) => (row ? [y] : []));
  if (seen.length === 0) return [];
  const [top, bottom] = [seen[0]!, seen.at(-1)!];
  // A row without the zone takes the columns of the row above it.
  const filled = rows.slice(top, bottom + 1);
  filled.forEach((row, i) => (filled[i] = row ?? filled[i - 1]));
  return outlineOf(
    {
      top,
      centres: filled.map((row) => (row!.left + row!.right) / 2),
      halves: filled.map((row) => (row!.right - row!.left) / 2),
    },
    frame,
  );
}

function columnsOf({ width, data }: Field, y: number, placeAt: (at: number) => number, { from, to }: Span) {
  // From left to right.
  const xs: number[] = [];
  for (let x = 0; x < width; x++) {
    const at = y * width + x;
    const place = data[at]! > 0.5 ? placeAt(at) : -1;
    if (place >= from && place <= to) xs.push(x);
  }
  const at = (share: number) => xs[Math.min(xs.length - 1, Math.floor(share * xs.length))]!;
  return xs.length < MIN_ROW_PX ? undefined : { left: at(STRAY) - 0.5, right: at(1 - STRAY) + 0.5 };
}
