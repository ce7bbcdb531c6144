import { emptyField, type Field, type Point } from '../field';
import { clamped } from './enhance';

/** The rubber between the rim's edge and the tire's outer edge, as two circles about one centre. Lengths in pixels of the field. */
export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly inner: number;
  readonly outer: number;
  /** Mean share of the two circles that lies on an edge running along them, 0..1. */
  readonly score: number;
}

// Outer diameter over the visible edge of the rim, of sizes between 25 and 85 percent; a rim under a fifth of the picture leaves no letters to read.
const SLIMMEST = 1.25;
const FATTEST = 1.8;
const SMALLEST_RIM = 0.2;

interface Edges {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly strong: readonly number[];
}

/**
 * Every edge votes for the points that its gradient points at; the centre of concentric circles collects most. A rim's radius is
 * `smallestRim` of the shorter side at least; votes come from three times as far.
 */
export function findRing(field: Field, smallestRim = SMALLEST_RIM): Ring | undefined {
  const edges = edgesOf(field);
  if (edges.strong.length < 100) return undefined;
  const smallest = smallestRim * Math.min(field.width, field.height);
  const centre = findCentre(field, edges, smallest);
  const onCircle = circleShares(field, edges, centre);
  let best: Ring | undefined;
  for (let inner = Math.round(smallest); inner < onCircle.length; inner++) {
    for (let outer = Math.ceil(inner * SLIMMEST); outer < Math.min(onCircle.length, inner * FATTEST); outer++) {
      const score = (onCircle[inner]! + onCircle[outer]!) / 2;
      if (!best || score > best.score) best = { ...centre, inner, outer, score };
    }
  }
  return best;
}

function edgesOf({ width, height, data }: Field): Edges {
  const gx = new Float32Array(width * height);
  const gy = new Float32Array(width * height);
  const magnitudes = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      gx[at] =
        data[at + 1]! - data[at - 1]! + (data[at + 1 - width]! - data[at - 1 - width]! + data[at + 1 + width]! - data[at - 1 + width]!) / 2;
      gy[at] =
        data[at + width]! -
        data[at - width]! +
        (data[at + width - 1]! - data[at - width - 1]! + data[at + width + 1]! - data[at - width + 1]!) / 2;
      magnitudes[at] = Math.hypot(gx[at]!, gy[at]!);
    }
  }
  const threshold = Math.max(16, Float32Array.from(magnitudes).sort()[Math.floor(magnitudes.length * 0.85)]!);
  const strong: number[] = [];
  magnitudes.forEach((magnitude, at) => {
    if (magnitude < threshold) return;
    gx[at]! /= magnitude;
    gy[at]! /= magnitude;
    strong.push(at);
  });
  return { x: gx, y: gy, strong };
}

function findCentre(field: Field, edges: Edges, smallest: number): { x: number; y: number } {
  const { width, height } = field;
  const votes = emptyField(width, height);
  const [near, far] = [0.75 * smallest, 3 * smallest];
  for (const at of edges.strong) {
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let r = -far; r <= far; r++) {
      if (Math.abs(r) < near) continue;
      const [vx, vy] = [Math.round(x + r * edges.x[at]!), Math.round(y + r * edges.y[at]!)];
      if (vx >= 0 && vy >= 0 && vx < width && vy < height) votes.data[vy * width + vx]! += 1;
    }
  }
  let best = { x: width / 2, y: height / 2, sum: -1 };
  for (let y = 3; y < height - 3; y++) {
    for (let x = 3; x < width - 3; x++) {
      let sum = 0;
      for (let j = -3; j <= 3; j++) for (let i = -3; i <= 3; i++) sum += votes.data[(y + j) * width + x + i]!;
      if (sum > best.sum) best = { x, y, sum };
    }
  }
  return { x: best.x, y: best.y };
}

function circleShares({ width, height }: Field, edges: Edges, centre: { x: number; y: number }): number[] {
  const counts = new Float64Array(Math.ceil(0.62 * Math.max(width, height)));
  for (const at of edges.strong) {
    const [dx, dy] = [(at % width) - centre.x, Math.floor(at / width) - centre.y];
    const r = Math.hypot(dx, dy);
    if (r < 8 || r >= counts.length - 1) continue;
    if (Math.abs(dx * edges.x[at]! + dy * edges.y[at]!) / r > 0.92) counts[Math.round(r)]! += 1;
  }
  return Array.from(counts, (_, r) => {
    const near = (counts[r - 2] ?? 0) + (counts[r - 1] ?? 0) + counts[r]! + (counts[r + 1] ?? 0) + (counts[r + 2] ?? 0);
    return r < 8 ? 0 : Math.min(1, near / (2 * 2 * Math.PI * r));
  });
}

const aroundOf = ({ inner, outer }: Ring): number => 2 * Math.PI * ((inner + outer) / 2);

/** Where a point of the ring laid out lies in the field. */
export const onRing =
  (ring: Ring) =>
  ({ x, y }: Point): Point => {
    const angle = (x / aroundOf(ring)) * 2 * Math.PI;
    return { x: ring.x + (ring.outer - y) * Math.cos(angle), y: ring.y + (ring.outer - y) * Math.sin(angle) };
  };

/** The ring laid out straight, outer edge on top, all the way round and `overlapShare` of it again. */
export function unwrap(field: Field, ring: Ring, overlapShare: number): Field {
  const height = Math.round(ring.outer - ring.inner);
  const around = aroundOf(ring);
  const strip = emptyField(Math.round(around * (1 + overlapShare)), height);
  for (let x = 0; x < strip.width; x++) {
    const angle = (x / around) * 2 * Math.PI;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (let y = 0; y < height; y++) {
      const r = ring.outer - y;
      strip.data[y * strip.width + x] = clamped(field, ring.x + r * cos, ring.y + r * sin);
    }
  }
  return strip;
}
