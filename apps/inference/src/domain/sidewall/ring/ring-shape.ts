import { emptyField, sampleField, type Field, type Point } from '../../field';
import { ellipseDistance, meanRadius, onEllipse, stretchedEllipse, type Ellipse } from './ellipse';

/**
 * The rubber between rim and outer edge as two ellipses, for wheels that are seen at an angle or cut off. In pixels of the searched field.
 */
export interface RingShape {
  readonly inner: Ellipse;
  readonly outer: Ellipse;
  /** 0 to 1: how much of both ellipses lies on edges. */
  readonly score: number;
}

// Ratio of outer edge to rim, for aspect ratios between 25 and 85 percent.
const SLIMMEST = 1.15;
const FATTEST = 2.1;

export function plausible(inner: Ellipse, outer: Ellipse): boolean {
  const ratio = meanRadius(outer) / meanRadius(inner);
  return ratio > SLIMMEST && ratio < FATTEST && ellipseDistance(outer, inner) < 0.35;
}

/** Scales a ring to an image of another size. */
export const scaledRing = ({ inner, outer, score }: RingShape, byX: number, byY: number): RingShape => ({
  inner: stretchedEllipse(inner, byX, byY),
  outer: stretchedEllipse(outer, byX, byY),
  score,
});

const MARGIN = 0.05;

/** Circumference of the unwrapped ring, in pixels, for a strip of this height. */
export const aroundOf = (ring: RingShape, height: number): number =>
  (Math.PI * (meanRadius(ring.outer) + meanRadius(ring.inner)) * height) / naturalHeight(ring);

/** Maps a point of the unwrapped strip of this height to the image. */
export const onRingShape =
  (ring: RingShape, height: number) =>
  ({ x, y }: Point): Point => {
    const angle = (x / aroundOf(ring, height)) * 2 * Math.PI;
    const [from, to] = [ring.outer, ring.inner].map((edge) => onEllipse(edge, Math.cos(angle), Math.sin(angle))) as [Point, Point];
    const t = ((y + 0.5) / height) * (1 + 2 * MARGIN) - MARGIN;
    return { x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y) };
  };

const COLUMNS = 16;

/** The ring unwrapped into a strip, outer edge on top; the strip goes on for `overlapShare` beyond a full turn. */
export function unwrapShape(field: Field, ring: RingShape, overlapShare: number, height: number): Field {
  const { inner, outer } = ring;
  const around = aroundOf(ring, height);
  const strip = emptyField(Math.round(around * (1 + overlapShare)), height);
  const shares = Float64Array.from({ length: height }, (_, y) => ((y + 0.5) / height) * (1 + 2 * MARGIN) - MARGIN);
  // Some columns at once, because a whole column touches as many lines of memory as it has pixels.
  for (let left = 0; left < strip.width; left += COLUMNS) {
    const count = Math.min(COLUMNS, strip.width - left);
    const rays = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      const angle = ((left + i) / around) * 2 * Math.PI;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [from, to] = [onEllipse(outer, cos, sin), onEllipse(inner, cos, sin)];
      rays[4 * i] = from.x;
      rays[4 * i + 1] = from.y;
      rays[4 * i + 2] = to.x - from.x;
      rays[4 * i + 3] = to.y - from.y;
    }
    for (let y = 0; y < height; y++) {
      const t = shares[y]!;
      for (let i = 0; i < count; i++) {
        const atX = rays[4 * i]! + t * rays[4 * i + 2]!;
        const atY = rays[4 * i + 1]! + t * rays[4 * i + 3]!;
        strip.data[y * strip.width + left + i] = sampleField(field, atX, atY);
      }
    }
  }
  return strip;
}

/** The height of a strip at the resolution of the image. */
export const naturalHeight = ({ inner, outer }: RingShape): number => (meanRadius(outer) - meanRadius(inner)) * (1 + 2 * MARGIN);
