import type { Point } from '../../field';

/** The image of the unit circle under a symmetric matrix (xx xy / xy yy), moved to x, y. */
export interface Ellipse {
  readonly x: number;
  readonly y: number;
  readonly xx: number;
  readonly xy: number;
  readonly yy: number;
}

export const onEllipse = ({ x, y, xx, xy, yy }: Ellipse, cos: number, sin: number): Point => ({
  x: x + xx * cos + xy * sin,
  y: y + xy * cos + yy * sin,
});

/** The radius of the circle with the same area. */
export const meanRadius = ({ xx, xy, yy }: Ellipse): number => Math.sqrt(Math.max(0, xx * yy - xy * xy));

/** Distance from the centre in units of the ellipse: 1 is on it. */
export function ellipseDistance({ x, y, xx, xy, yy }: Ellipse, point: Point): number {
  const determinant = xx * yy - xy * xy;
  const [dx, dy] = [point.x - x, point.y - y];
  const [u, v] = [(yy * dx - xy * dy) / determinant, (xx * dy - xy * dx) / determinant];
  return Math.sqrt(u * u + v * v);
}

export const scaledEllipse = ({ x, y, xx, xy, yy }: Ellipse, by: number): Ellipse => ({ x, y, xx: xx * by, xy: xy * by, yy: yy * by });

/** The same ellipse after the image is scaled. Pixels are squares around their coordinates. */
export function stretchedEllipse({ x, y, xx, xy, yy }: Ellipse, byX: number, byY: number): Ellipse {
  const [a, b, c, d] = [byX * xx, byX * xy, byY * xy, byY * yy];
  const round = rootOf(a * a + b * b, a * c + b * d, c * c + d * d);
  return { ...round, x: (x + 0.5) * byX - 0.5, y: (y + 0.5) * byY - 0.5 };
}

/** Square root of a symmetric matrix whose eigenvalues are positive. */
function rootOf(xx: number, xy: number, yy: number): Pick<Ellipse, 'xx' | 'xy' | 'yy'> {
  const root = Math.sqrt(xx * yy - xy * xy);
  const norm = Math.sqrt(xx + yy + 2 * root);
  return { xx: (xx + root) / norm, xy: xy / norm, yy: (yy + root) / norm };
}

const ROUNDS = 10;
const GUESSES = 60;
const BINS = 36;

/**
 * (x² + y²)/2 + u (x² - y²)/2 + b x y + d x + e y + f = 0 by weighted least squares; outliers lose weight with each round. `u` and `b` turn
 * the circle into an ellipse. They are damped where points cover only an arc, which determines three parameters but not five.
 */
export function fitEllipse(points: readonly Point[]): Ellipse | undefined {
  if (points.length < 12) return undefined;
  const frame = frameOf(points);
  const local = points.map(({ x, y }) => ({ x: (x - frame.x) / frame.scale, y: (y - frame.y) / frame.scale }));
  let found = start(local);
  for (let round = 0; round < ROUNDS && found; round++) {
    const hold = 0.0005 + 0.25 * (1 - coverage(found, local, 0.5 / (1 + round))) ** 2;
    const off = missesOf(found, local);
    const spread = Math.max(0.004, spreadOf(off));
    const weights = off.map((distance) => 1 / (1 + (distance / spread) ** 2) ** 2);
    found = fromConic(solve(local, weights, hold));
  }
  if (!found) return undefined;
  const back = scaledEllipse(found, frame.scale);
  return { ...back, x: frame.x + found.x * frame.scale, y: frame.y + found.y * frame.scale };
}

function missesOf(ellipse: Ellipse, points: readonly Point[]): Float64Array {
  const misses = new Float64Array(points.length);
  for (let i = 0; i < misses.length; i++) misses[i] = Math.abs(ellipseDistance(ellipse, points[i]!) - 1);
  return misses;
}

const spreadOf = (off: Float64Array): number => off.toSorted()[Math.floor(off.length * 0.6)]!;

/** The candidate with the smallest residuals: the circle through all points, or one of several ellipses through a few of them. */
function start(points: readonly Point[]): Ellipse | undefined {
  const near = points.filter((_, i) => i % Math.ceil(points.length / 150) === 0);
  let best = fromConic(solve(points, new Float64Array(points.length).fill(1), 1e3));
  const miss = (ellipse: Ellipse) => spreadOf(missesOf(ellipse, near));
  let least = best ? miss(best) : Infinity;
  for (let guess = 0; guess < GUESSES; guess++) {
    const chosen = Array.from({ length: 8 }, (_, i) => points[(guess * 7919 + i * (104729 + 977 * guess)) % points.length]!);
    const ellipse = fromConic(solve(chosen, new Float64Array(8).fill(1), 0.003));
    const off = ellipse ? miss(ellipse) : Infinity;
    if (off < 0.8 * least) [best, least] = [ellipse, off];
  }
  return best;
}

/** The share of directions from the centre in which points lie near the ellipse. */
export function coverage(ellipse: Ellipse, points: readonly Point[], tolerance = 0.04): number {
  const seen = new Uint8Array(BINS);
  for (const point of points) {
    if (Math.abs(ellipseDistance(ellipse, point) - 1) > tolerance) continue;
    seen[Math.floor(((Math.atan2(point.y - ellipse.y, point.x - ellipse.x) + Math.PI) / (2 * Math.PI)) * (BINS - 1e-9))] = 1;
  }
  return seen.reduce((sum, one) => sum + one, 0) / BINS;
}

function frameOf(points: readonly Point[]): { x: number; y: number; scale: number } {
  const n = points.length;
  const x = points.reduce((sum, point) => sum + point.x, 0) / n;
  const y = points.reduce((sum, point) => sum + point.y, 0) / n;
  const scale = Math.sqrt(points.reduce((sum, point) => sum + (point.x - x) ** 2 + (point.y - y) ** 2, 0) / n);
  return { x, y, scale: scale || 1 };
}

function solve(points: readonly Point[], weights: Float64Array, hold: number): number[] {
  const rows = Array.from({ length: 5 }, () => new Array<number>(6).fill(0));
  let total = 0;
  const terms = new Float64Array(6);
  for (let i = 0; i < points.length; i++) {
    const { x, y } = points[i]!;
    terms.set([(x * x - y * y) / 2, x * y, x, y, 1, -(x * x + y * y) / 2]);
    const weight = weights[i]!;
    total += weight;
    for (let r = 0; r < 5; r++) {
      const row = rows[r]!;
      for (let c = 0; c < 6; c++) row[c]! += weight * terms[r]! * terms[c]!;
    }
  }
  rows[0]![0]! += hold * total;
  rows[1]![1]! += hold * total;
  return eliminated(rows);
}

function eliminated(rows: number[][]): number[] {
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let r = k + 1; r < n; r++) if (Math.abs(rows[r]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = r;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let r = 0; r < n; r++) {
      if (r === k) continue;
      const factor = rows[r]![k]! / rows[k]![k]!;
      for (let c = k; c <= n; c++) rows[r]![c]! -= factor * rows[k]![c]!;
    }
  }
  return rows.map((row, r) => row[n]! / row[r]!);
}

function fromConic([u, b, d, e, f]: number[]): Ellipse | undefined {
  const [xx, xy, yy] = [(1 + u!) / 2, b! / 2, (1 - u!) / 2];
  const determinant = xx * yy - xy * xy;
  if (!(determinant > 0.02)) return undefined;
  const x = -(yy * d! - xy * e!) / (2 * determinant);
  const y = -(xx * e! - xy * d!) / (2 * determinant);
  const k = xx * x * x + 2 * xy * x * y + yy * y * y - f!;
  if (!(k > 0)) return undefined;
  // The square root of k times the inverse of the matrix.
  return { x, y, ...rootOf((k * yy) / determinant, (-k * xy) / determinant, (k * xx) / determinant) };
}
