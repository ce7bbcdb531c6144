import type { Point } from '../../field';
import type { Line } from './line-reader';

/** Minimum share of one text's middle line inside the other text. */
const SAME = 0.5;
const STEPS = 16;

/**
 * Groups lines that show the same text: readings of one box, boxes of several passes, joined boxes and their parts. In a group, most of the
 * shorter text lies in both.
 */
export function byPlace(lines: readonly Line[]): Line[][] {
  let places: Line[][] = [];
  for (const line of lines) {
    const isPartOf = (place: readonly Line[]) => place.some(({ box, outline }) => box === line.box || isSame(outline, line.outline));
    const joined = places.filter(isPartOf);
    places = [...places.filter((place) => !joined.includes(place)), [...joined.flat(), line]];
  }
  return places;
}

const isSame = (a: Line['outline'], b: Line['outline']): boolean => Math.max(shareIn(a, b), shareIn(b, a)) > SAME;

function shareIn(text: Line['outline'], other: Line['outline']): number {
  const points = Array.from({ length: STEPS }, (_, i) => middleOf(text, (i + 0.5) / STEPS));
  return points.filter((point) => isInside(point, other)).length / STEPS;
}

/** An outline runs along the top and back along the bottom. */
function middleOf(outline: Line['outline'], along: number): Point {
  const last = outline.length / 2 - 1;
  const left = Math.min(last - 1, Math.floor(along * last));
  const right = along * last - left;
  const between = (from: Point, to: Point, share: number) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
  const top = between(outline[left]!, outline[left + 1]!, right);
  const foot = between(outline[outline.length - 1 - left]!, outline[outline.length - 2 - left]!, right);
  return between(top, foot, 0.5);
}

/** A ray to the right crosses an odd number of edges. */
function isInside({ x, y }: Point, outline: Line['outline']): boolean {
  let inside = false;
  outline.forEach((from, i) => {
    const to = outline[(i + 1) % outline.length]!;
    if (from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)) inside = !inside;
  });
  return inside;
}
