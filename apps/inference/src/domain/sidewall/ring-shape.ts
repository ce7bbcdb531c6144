import { emptyField, sampleField, type Field, type Point } from '../field';
import { ellipseDistance, meanRadius, onEllipse, stretchedEllipse, type Ellipse } from './ellipse';

/** The rubber between the rim's edge and the tire's outer edge, seen at an angle or cut off; in pixels of the field it was found in. */
export interface RingShape {
  readonly inner: Ellipse;
  readonly outer: Ellipse;
  /** 0 to 1, how sure the edges on them are. */
  readonly score: number;
}

// Outer edge over rim, of sizes between 25 and 85 percent.
const SLIMMEST = 1.15;
const FATTEST = 2.1;

export function plausible(inner: Ellipse, outer: Ellipse): boolean {
  const ratio = meanRadius(outer) / meanRadius(inner);
  return ratio > SLIMMEST && ratio < FATTEST && ellipseDistance(outer, inner) < 0.35;
}

/** From pixels of what was searched to those of an image that is so many times as wide and as high. */
export const scaledRing = ({ inner, outer, score }: RingShape, byX: number, byY: number): RingShape => ({
  inner: stretchedEllipse(inner, byX, byY),
  outer: stretchedEllipse(outer, byX, byY),
  score,
});

const MARGIN = 0.05;

/** How long the way round is where the ring is laid out `height` pixels high. */
export const aroundOf = (ring: RingShape, height: number): number =>
  (Math.PI * (meanRadius(ring.outer) + meanRadius(ring.inner)) * height) / naturalHeight(ring);

/** Where a point of the ring laid out, `height` pixels high, lies in the image. */
export const onRingShape =
  (ring: RingShape, height: number) =>
  ({ x, y }: Point): Point => {
    const angle = (x / aroundOf(ring, height)) * 2 * Math.PI;
    const [from, to] = [ring.outer, ring.inner].map((edge) => onEllipse(edge, Math.cos(angle), Math.sin(angle))) as [Point, Point];
    const t = ((y + 0.5) / height) * (1 + 2 * MARGIN) - MARGIN;
    return { x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y) };
  };

/** The ring laid out straight, outer edge on top, all the way round and `overlapShare` of it again, `height` pixels high. */
export function unwrapShape(field: Field, ring: RingShape, overlapShare: number, height: number): Field {
  const { inner, outer } = ring;
  const around = aroundOf(ring, height);
  const strip = emptyField(Math.round(around * (1 + overlapShare)), height);
  for (let x = 0; x < strip.width; x++) {
    const angle = (x / around) * 2 * Math.PI;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [from, to] = [onEllipse(outer, cos, sin), onEllipse(inner, cos, sin)];
    for (let y = 0; y < height; y++) {
      const t = ((y + 0.5) / height) * (1 + 2 * MARGIN) - MARGIN;
      strip.data[y * strip.width + x] = sampleField(field, from.x + t * (to.x - from.x), from.y + t * (to.y - from.y));
    }
  }
  return strip;
}

/** Height at which the strip shows what the image has and no more. */
export const naturalHeight = ({ inner, outer }: RingShape): number => (meanRadius(outer) - meanRadius(inner)) * (1 + 2 * MARGIN);
