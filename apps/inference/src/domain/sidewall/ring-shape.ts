import { emptyField, sampleField, type Field, type Point } from '../field';
import { coverage, ellipseDistance, fitEllipse, meanRadius, onEllipse, scaledEllipse, type Ellipse } from './ellipse';

/** The rubber between the rim's edge and the tire's outer edge, seen at an angle or cut off; in pixels of the field it was found in. */
export interface RingShape {
  readonly inner: Ellipse;
  readonly outer: Ellipse;
  /** 0 to 1, how sure it is: of the pixels between the two, or of the edges on them, as whoever found it says. */
  readonly score: number;
}

const SIDEWALL = 0.5;
// Outer edge over rim, of sizes between 25 and 85 percent, and what stands for an edge that is not in sight.
const SLIMMEST = 1.15;
const FATTEST = 2.1;
const USUAL = 1.45;
const LEAST_SHARE = 0.01;

/** Two maps of one size: probability of sidewall and of rim. */
export function findRingShape(sidewall: Field, rim: Field): RingShape | undefined {
  const rubber = sidewall.data.reduce((sum, value) => sum + (value > SIDEWALL ? 1 : 0), 0);
  if (rubber < LEAST_SHARE * sidewall.data.length) return undefined;
  const { inside, outside } = borders(sidewall, rim);
  let [inner, outer] = [fitEllipse(inside), fitEllipse(outside)];
  if (inner && outer && !plausible(inner, outer)) {
    if (coverage(inner, inside) > coverage(outer, outside)) outer = undefined;
    else inner = undefined;
  }
  if (!inner && !outer) return undefined;
  inner ??= scaledEllipse(outer!, 1 / USUAL);
  outer ??= scaledEllipse(inner, USUAL);
  return { inner, outer, score: filledShare(sidewall, inner, outer) };
}

export function plausible(inner: Ellipse, outer: Ellipse): boolean {
  const ratio = meanRadius(outer) / meanRadius(inner);
  return ratio > SLIMMEST && ratio < FATTEST && ellipseDistance(outer, inner) < 0.35;
}

/** Points where sidewall ends: at the rim, or at anything else. The picture's own border is no edge. */
function borders(sidewall: Field, rim: Field): { inside: Point[]; outside: Point[] } {
  const { width, height, data } = sidewall;
  const [inside, outside]: [Point[], Point[]] = [[], []];
  for (let y = 2; y < height - 3; y++) {
    for (let x = 2; x < width - 3; x++) {
      const at = y * width + x;
      for (const [step, dx, dy] of [
        [1, 1, 0],
        [width, 0, 1],
      ] as const) {
        const [here, next] = [data[at]!, data[at + step]!];
        if (here > SIDEWALL === next > SIDEWALL) continue;
        const share = (SIDEWALL - here) / (next - here);
        const beyond = here > SIDEWALL ? 2 : -1;
        const isRim = rim.data[at + beyond * step]! > 0.4;
        (isRim ? inside : outside).push({ x: x + share * dx, y: y + share * dy });
      }
    }
  }
  return { inside, outside };
}

function filledShare(sidewall: Field, inner: Ellipse, outer: Ellipse): number {
  let [filled, seen] = [0, 0];
  for (let i = 0; i < 72; i++) {
    const [cos, sin] = [Math.cos((i * Math.PI) / 36), Math.sin((i * Math.PI) / 36)];
    const [from, to] = [onEllipse(inner, cos, sin), onEllipse(outer, cos, sin)];
    for (const t of [0.2, 0.4, 0.6, 0.8]) {
      const [x, y] = [from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)];
      if (x < 0 || y < 0 || x > sidewall.width - 1 || y > sidewall.height - 1) continue;
      seen++;
      if (sampleField(sidewall, x, y) > SIDEWALL) filled++;
    }
  }
  return seen === 0 ? 0 : filled / seen;
}

/** From pixels of the maps to pixels of the picture. */
export function scaledRing(ring: RingShape, scaleX: number, scaleY: number): RingShape {
  const scaled = ({ x, y, xx, xy, yy }: Ellipse): Ellipse => {
    const mean = Math.sqrt(scaleX * scaleY);
    return { x: (x + 0.5) * scaleX - 0.5, y: (y + 0.5) * scaleY - 0.5, xx: xx * scaleX, xy: xy * mean, yy: yy * scaleY };
  };
  return { inner: scaled(ring.inner), outer: scaled(ring.outer), score: ring.score };
}

const MARGIN = 0.05;

const aroundOf = (ring: RingShape, height: number): number =>
  (Math.PI * (meanRadius(ring.outer) + meanRadius(ring.inner)) * height) / naturalHeight(ring);

/** Where a point of the ring laid out, `height` pixels high, lies in the picture. */
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

/** Height at which the strip shows what the picture has and no more. */
export const naturalHeight = ({ inner, outer }: RingShape): number => (meanRadius(outer) - meanRadius(inner)) * (1 + 2 * MARGIN);
