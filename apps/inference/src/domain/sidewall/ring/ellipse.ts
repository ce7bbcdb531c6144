import { quantile, type Point } from '../../field';

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

/** The x and y of each point in turn. */
export type Points = Float64Array;

const ROUNDS = 10;
const GUESSES = 60;
const BINS = 36;

/**
 * (x² + y²)/2 + u (x² - y²)/2 + b x y + d x + e y + f = 0 by weighted least squares; outliers lose weight with each round. `u` and `b` turn
 * the circle into an ellipse. They are damped where points cover only an arc, which determines three parameters but not five.
 */
export function fitEllipse(points: Points): Ellipse | undefined {
  if (points.length < 2 * 12) return undefined;
  const frame = frameOf(points);
  const local = new Float64Array(points.length);
  for (let i = 0; i < local.length; i += 2) {
    local[i] = (points[i]! - frame.x) / frame.scale;
    local[i + 1] = (points[i + 1]! - frame.y) / frame.scale;
  }
  let found = start(local);
  const weights = new Float64Array(local.length / 2);
  for (let round = 0; round < ROUNDS && found; round++) {
    const hold = 0.0005 + 0.25 * (1 - coverage(found, local, 0.5 / (1 + round))) ** 2;
    const off = missesOf(found, local);
    const spread = Math.max(0.004, spreadOf(off));
    for (let i = 0; i < weights.length; i++) {
      const misfit = off[i]! / spread;
      const divisor = 1 + misfit * misfit;
      weights[i] = 1 / (divisor * divisor);
    }
    found = fromConic(solve(local, weights, hold));
  }
  if (!found) return undefined;
  const back = scaledEllipse(found, frame.scale);
  return { ...back, x: frame.x + found.x * frame.scale, y: frame.y + found.y * frame.scale };
}

function missesOf({ x, y, xx, xy, yy }: Ellipse, points: Points): Float64Array {
  const determinant = xx * yy - xy * xy;
  const misses = new Float64Array(points.length / 2);
  for (let i = 0; i < misses.length; i++) {
    const dx = points[2 * i]! - x;
    const dy = points[2 * i + 1]! - y;
    const u = (yy * dx - xy * dy) / determinant;
    const v = (xx * dy - xy * dx) / determinant;
    misses[i] = Math.abs(Math.sqrt(u * u + v * v) - 1);
  }
  return misses;
}

const spreadOf = (off: Float64Array): number => quantile(off, 0.6);

const ones = (count: number) => new Float64Array(count).fill(1);

/** The candidate with the smallest residuals: the circle through all points, or one of several ellipses through a few of them. */
function start(points: Points): Ellipse | undefined {
  const count = points.length / 2;
  const every = Math.ceil(count / 150);
  const near = pointsAt(points, Math.ceil(count / every), (i) => i * every);
  let best = fromConic(solve(points, ones(count), 1e3));
  const miss = (ellipse: Ellipse) => spreadOf(missesOf(ellipse, near));
  let least = best ? miss(best) : Infinity;
  for (let guess = 0; guess < GUESSES; guess++) {
    const chosen = pointsAt(points, 8, (i) => (guess * 7919 + i * (104729 + 977 * guess)) % count);
    const ellipse = fromConic(solve(chosen, ones(8), 0.003));
    const off = ellipse ? miss(ellipse) : Infinity;
    if (off < 0.8 * least) [best, least] = [ellipse, off];
  }
  return best;
}

function pointsAt(points: Points, count: number, indexOf: (i: number) => number): Points {
  const chosen = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    chosen[2 * i] = points[2 * indexOf(i)]!;
    chosen[2 * i + 1] = points[2 * indexOf(i) + 1]!;
  }
  return chosen;
}

/** The share of directions from the centre in which points lie near the ellipse. */
export function coverage(ellipse: Ellipse, points: Points, tolerance = 0.04): number {
  const seen = new Uint8Array(BINS);
  const misses = missesOf(ellipse, points);
  for (let i = 0; i < misses.length; i++) {
    if (misses[i]! > tolerance) continue;
    const angle = Math.atan2(points[2 * i + 1]! - ellipse.y, points[2 * i]! - ellipse.x);
    seen[Math.floor(((angle + Math.PI) / (2 * Math.PI)) * (BINS - 1e-9))] = 1;
  }
  return seen.reduce((sum, one) => sum + one, 0) / BINS;
}

function frameOf(points: Points): { x: number; y: number; scale: number } {
  const n = points.length / 2;
  let sumX = 0;
  let sumY = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    sumX += points[2 * i]!;
    sumY += points[2 * i + 1]!;
  }
  const x = sumX / n;
  const y = sumY / n;
  for (let i = 0; i < n; i++) {
    squares += (points[2 * i]! - x) ** 2;
    squares += (points[2 * i + 1]! - y) ** 2;
  }
  return { x, y, scale: Math.sqrt(squares / n) || 1 };
}

function solve(points: Points, weights: Float64Array, hold: number): number[] {
  const sums = new Float64Array(5 * 6);
  let total = 0;
  const terms = new Float64Array(6);
  for (let i = 0; i < weights.length; i++) {
    const x = points[2 * i]!;
    const y = points[2 * i + 1]!;
    terms[0] = (x * x - y * y) / 2;
    terms[1] = x * y;
    terms[2] = x;
    terms[3] = y;
    terms[4] = 1;
    terms[5] = -(x * x + y * y) / 2;
    const weight = weights[i]!;
    total += weight;
    for (let r = 0; r < 5; r++) {
      const weighted = weight * terms[r]!;
      for (let c = 0; c < 6; c++) sums[r * 6 + c]! += weighted * terms[c]!;
    }
  }
  const rows = Array.from({ length: 5 }, (_, r) => [...sums.subarray(6 * r, 6 * (r + 1))]);
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
