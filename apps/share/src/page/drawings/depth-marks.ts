import { degreesOf, depthDigits, type Overlay } from '../facts/grooves';
import type { Words } from '../words/words';

export type Point = readonly [x: number, y: number];

/** The size in stored pixels. 0 if unknown. */
export interface StoredSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A label on its groove or on a zone without pattern. */
export interface DepthMark {
  readonly kind: 'depth' | 'bald';
  readonly text: string;
  /** The middle of the label in the stored image, from 0 to 1. */
  readonly inImage: Point;
  /** The same in the square that shows the image: distance from the middle, in parts of its side. */
  readonly inSquare: Point;
}

// In parts of the side of the square, so that labels that do not overlap in one size never do. Room for digits of 0.06 and their padding.
const HEIGHT = 0.084;
const DIGIT = 0.036;
const LETTER = 0.06;
const AROUND = 0.036;
const HALF = 0.5;

/** Positions along a groove, from its middle to both ends. Grooves that are too close for one row use several rows. */
const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9];

/** Positions beside the groove for a label that does not fit on it, the nearest first. */
const STEP = 0.04;
const STEPS = Array.from({ length: 2 * (HALF / STEP) + 1 }, (_, index) => index * STEP - HALF);
const ANYWHERE: readonly Point[] = STEPS.flatMap((y) => STEPS.map((x): Point => [x, y]));

interface Box {
  readonly middle: Point;
  readonly width: number;
}

const isInside = ({ middle: [x, y], width }: Box): boolean => Math.abs(x) + width / 2 <= HALF && Math.abs(y) + HEIGHT / 2 <= HALF;

const overlap = (one: Box, other: Box): boolean =>
  Math.abs(one.middle[0] - other.middle[0]) < (one.width + other.width) / 2 && Math.abs(one.middle[1] - other.middle[1]) < HEIGHT;

type Label = Pick<DepthMark, 'kind' | 'text'> & { readonly outline: readonly Point[]; readonly width: number };

/** The zones come first: a label that has no room beside them is a depth, and the list under the image has all depths. */
function labelsOf(overlay: Overlay, bald: string): Label[] {
  const zones = (overlay.bald_zones?.zones ?? []).map(({ polygon_xy_norm: outline }): Label => ({
    kind: 'bald',
    text: bald,
    outline,
    width: bald.length * LETTER + AROUND,
  }));
  const depths = depthDigits(overlay);
  const grooves = overlay.groove_masks.flatMap(({ depth_mm, polygon_xy_norm: outline }, index): Label[] => {
    const text = depths[index];
    return depth_mm === null || typeof text !== 'string' ? [] : [{ kind: 'depth', text, outline, width: text.length * DIGIT + AROUND }];
  });
  return [...zones, ...grooves].filter(({ outline }) => outline.length > 0);
}

/** Labels never overlap and never leave the square. A label without any room is omitted. */
export function depthMarks(overlay: Overlay, size: StoredSize, { bald }: Pick<Words, 'bald'>): DepthMark[] {
  const { seen, stored } = mappingsOf(overlay, size);
  const boxes: Box[] = [];
  return labelsOf(overlay, bald).flatMap(({ kind, text, outline, width }): DepthMark[] => {
    for (const middle of placesFor(outline.map(seen))) {
      const box = { middle, width };
      if (!isInside(box) || boxes.some((other) => overlap(box, other))) continue;
      boxes.push(box);
      return [{ kind, text, inImage: stored(middle), inSquare: middle }];
    }
    return [];
  });
}

/** From the stored image to the square and back: first turned, then flipped. */
function mappingsOf(overlay: Overlay, { widthPx, heightPx }: StoredSize): Record<'seen' | 'stored', (point: Point) => Point> {
  // Phones take images of four by three.
  const [width, height] = widthPx > 0 && heightPx > 0 ? [widthPx, heightPx] : [4, 3];
  const long = Math.max(width, height);
  const radians = (degreesOf(overlay) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const flip = overlay.coordinate_system.mirror_x ? -1 : 1;
  return {
    seen: ([storedX, storedY]) => {
      const [x, y] = [((storedX - HALF) * width) / long, ((storedY - HALF) * height) / long];
      return [flip * (x * cos - y * sin), x * sin + y * cos];
    },
    stored: ([seenX, y]) => {
      const x = flip * seenX;
      return [((x * cos + y * sin) * long) / width + HALF, ((y * cos - x * sin) * long) / height + HALF];
    },
  };
}

/** In the order in which they are tried. Few are: most labels fit at the first one. */
function* placesFor(outline: readonly Point[]): Generator<Point> {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of outline) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (bottom - top >= right - left) yield* middles(outline, top, bottom);
  else for (const [y, x] of middles(outline.map(swapped), left, right)) yield [x, y];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const away = ([otherX, otherY]: Point): number => Math.hypot(otherX - x, otherY - y);
  yield* ANYWHERE.toSorted((one, other) => away(one) - away(other));
}

const swapped = ([x, y]: Point): Point => [y, x];

const withRoom = (y: number): number => Math.min(Math.max(y, -HALF + HEIGHT / 2), HALF - HEIGHT / 2);

/** The visible middles of an upright groove at several heights. */
function* middles(outline: readonly Point[], highest: number, lowest: number): Generator<Point> {
  const [top, bottom] = [withRoom(highest), withRoom(lowest)];
  for (const part of ALONG) {
    const y = top + part * (bottom - top);
    const x = middleAt(outline, y);
    if (x !== null) yield [x, y];
  }
}

/** The middle of the widest part of an outline at a height. */
function middleAt(outline: readonly Point[], y: number): number | null {
  const sides: number[] = [];
  let from = outline.at(-1)!;
  for (const to of outline) {
    if (from[1] <= y !== to[1] <= y) sides.push(from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]));
    from = to;
  }
  sides.sort((a, b) => a - b);
  let [middle, widest]: [number | null, number] = [null, -1];
  for (let side = 0; side + 1 < sides.length; side += 2) {
    const [left, right] = [sides[side]!, sides[side + 1]!];
    if (right - left > widest) [middle, widest] = [(left + right) / 2, right - left];
  }
  return middle;
}
