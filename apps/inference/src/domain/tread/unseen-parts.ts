import type { TreadMeasurement } from '@tire/contracts/events';
import { median, sampleField } from '../field';
import type { Span } from './bald-zones';
import type { GrooveBand } from './groove-band';
import type { View } from './measure-tread';
import { isSwappedAt, type TreadMaps } from './tread-maps';
import type { UprightFrame } from './upright-frame';

type UnseenPart = NonNullable<TreadMeasurement['unseen']>['parts'][number];
type Place = 'first_shoulder' | 'center' | 'last_shoulder';

export interface UnseenThresholds {
  /** Share of the tread's length in which its edge may be at the border of the image. */
  readonly maxCutShare: number;
  /** Share of the visible width without a groove. */
  readonly maxGapShare: number;
  /** Probability of a line that is no groove, times its length as a share of the longest groove. */
  readonly maxLineStrength: number;
}

/** What was not seen of a tread, from the left edge of the visible tread in the upright frame; places are shares of its width. */
export interface Unseen {
  readonly cutShares: readonly [left: number, right: number];
  readonly gaps: readonly { readonly at: number; readonly width: number }[];
  readonly lines: readonly { readonly at: number; readonly strength: number }[];
}

interface Traced {
  /** At least one. */
  readonly grooves: readonly GrooveBand[];
  /** Lines in the map of grooves that are too weak or too short to be grooves. */
  readonly unclear: readonly GrooveBand[];
}

/** A share of the long side of the map: nearer to the border of the image, an edge of the tread is not seen. */
const BORDER = 0.012;
/** Narrower rows of tread are stray pixels. */
const MIN_ROW_PX = 4;
/** A line so near to a groove, as a share of the width, is the wall of that groove. */
const SAME_GROOVE = 0.06;

export function unseenOf(maps: TreadMaps, tread: Int32Array, frame: UprightFrame, { grooves, unclear }: Traced, view: View): Unseen {
  const places = grooves.map((groove) => placeAcross(maps, frame, groove)).sort((a, b) => a - b);
  const longest = Math.max(...grooves.map(({ centres }) => centres.length));
  const edges = [0, ...places, 1];
  return {
    cutShares: cutShares(maps, tread, frame, view),
    gaps: edges.slice(1).map((to, i) => ({ at: (edges[i]! + to) / 2, width: to - edges[i]! })),
    lines: unclear
      .map((line) => ({ at: placeAcross(maps, frame, line), strength: (line.score * line.centres.length) / longest }))
      .filter(({ at }) => places.every((place) => Math.abs(place - at) > SAME_GROOVE)),
  };
}

/** The middle of a line across the visible tread. */
function placeAcross(maps: TreadMaps, frame: UprightFrame, { top, centres }: GrooveBand): number {
  const sign = isSwappedAt(maps, frame.angleRad) ? -1 : 1;
  const laterals = centres.map((x, i) => {
    const at = frame.toImage(x, top + i);
    return sampleField(maps.lateral, at.x, at.y);
  });
  return Math.min(1, Math.max(0, (sign * median(laterals) + 1) / 2));
}

/** At each edge, the share of the tread's rows that end at the border of the image. */
function cutShares({ tread: { width, height } }: TreadMaps, tread: Int32Array, frame: UprightFrame, view: View): [number, number] {
  const [cos, sin] = [Math.cos(frame.angleRad), Math.sin(frame.angleRad)];
  const near = BORDER * Math.max(width, height);
  // The border of the image in pixels of the map, which may show a part of it.
  const [left, top] = [-(view.left / view.width) * width, -(view.top / view.height) * height];
  const [right, bottom] = [left + width / view.width - 1, top + height / view.height - 1];
  const isCut = (i: number) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return x - left < near || right - x < near || y - top < near || bottom - y < near;
  };
  // Of each row along the tire: the pixels at its ends, and their places across.
  const most = Math.ceil(Math.hypot(width, height)) + 2;
  const [first, last] = [new Float64Array(2 * most).fill(Infinity), new Float64Array(2 * most).fill(-Infinity)];
  const [from, to] = [new Int32Array(2 * most), new Int32Array(2 * most)];
  let imageRow = 0;
  for (let k = 0; k < tread.length; k++) {
    const i = tread[k]!;
    while (i >= (imageRow + 1) * width) imageRow++;
    const x = i - imageRow * width - (width - 1) / 2;
    const y = imageRow - (height - 1) / 2;
    const across = x * cos + y * sin;
    const row = Math.round(y * cos - x * sin) + most;
    if (across < first[row]!) {
      first[row] = across;
      from[row] = i;
    }
    if (across > last[row]!) {
      last[row] = across;
      to[row] = i;
    }
  }
  const wide = [...first.keys()].filter((row) => last[row]! - first[row]! >= MIN_ROW_PX);
  const share = (ends: Int32Array) => (wide.length === 0 ? 0 : wide.filter((row) => isCut(ends[row]!)).length / wide.length);
  return [share(from), share(to)];
}

/** The parts in which a groove may be that was not measured, each once, in the order of the grooves. What is bald was seen. */
export function unseenParts(
  { cutShares: [left, right], gaps, lines }: Unseen,
  bald: readonly Span[],
  isReversed: boolean,
  t: UnseenThresholds,
): UnseenPart[] {
  const unclear = [
    ...gaps.filter(({ width }) => width > t.maxGapShare).map(({ at }) => at),
    ...lines.filter(({ strength }) => strength > t.maxLineStrength).map(({ at }) => at),
  ]
    .filter((at) => !bald.some(({ from, to }) => at >= from && at <= to))
    .map((at) => placeOf(isReversed ? 1 - at : at));
  const [first, last] = isReversed ? [right, left] : [left, right];
  const isCut = { first_shoulder: first > t.maxCutShare, center: false, last_shoulder: last > t.maxCutShare };
  return (['first_shoulder', 'center', 'last_shoulder'] as const).flatMap((place): UnseenPart[] => [
    ...(isCut[place] ? [{ place, reason: 'outside_image' }] : []),
    ...(unclear.includes(place) ? [{ place, reason: 'groove_unclear' }] : []),
  ]);
}

const placeOf = (at: number): Place => (at < 1 / 3 ? 'first_shoulder' : at > 2 / 3 ? 'last_shoulder' : 'center');
