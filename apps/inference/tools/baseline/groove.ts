import { median, quantile, type Field } from '../../src/domain/field';
import type { Path } from '../../src/domain/tread/best-path';

/** A groove in the upright frame: its two walls row by row, and its darkness relative to the ribs. */
export interface Groove {
  readonly path: Path;
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly widthPx: number;
  /** Linear luminance of the floor over that of the ribs: 1 is no groove, 0 is black. */
  readonly darkness: number;
  /** Luminance of the darker rib over that of the brighter one: far from 1 the line is an edge, not a groove. */
  readonly ribBalance: number;
  /** Share of rows in which the line is darker than both sides. */
  readonly continuity: number;
  /** Root mean square distance from the best parabola, relative to the length: a groove bows, a crack or a shadow wanders. */
  readonly wander: number;
  /** How much both sides of the line look like rubber. */
  readonly rubber: number;
}

interface Row {
  readonly left: number;
  readonly right: number;
  readonly floor: number;
  readonly ribLeft: number;
  readonly ribRight: number;
}

const rowMean = (field: Field, y: number, from: number, to: number): number => {
  let sum = 0;
  let count = 0;
  for (let x = Math.max(0, Math.round(from)); x <= Math.min(field.width - 1, Math.round(to)); x++) {
    sum += field.data[y * field.width + x]!;
    count++;
  }
  return count === 0 ? 0 : sum / count;
};

/** A wall is where the luminance crosses the middle between floor and rib. */
function measureRow(reflectance: Field, y: number, centre: number, reach: number): Row {
  const value = (x: number) => reflectance.data[y * reflectance.width + Math.min(reflectance.width - 1, Math.max(0, Math.round(x)))]!;
  let darkest = centre;
  for (let d = -2; d <= 2; d++) if (value(centre + d) < value(darkest)) darkest = centre + d;
  const floor = value(darkest);
  const brightestWithin = (side: number) => {
    let best = 0;
    for (let d = 2; d <= reach; d++) best = Math.max(best, value(darkest + side * d));
    return best;
  };
  const crossing = (side: number, rib: number) => {
    const half = (floor + rib) / 2;
    for (let d = 1; d <= reach; d++) {
      const [before, after] = [value(darkest + side * (d - 1)), value(darkest + side * d)];
      if (after >= half && after > before) return d - 1 + (half - before) / (after - before);
    }
    return reach;
  };
  const [ribLeft, ribRight] = [brightestWithin(-1), brightestWithin(1)];
  return { left: darkest - crossing(-1, ribLeft), right: darkest + crossing(1, ribRight), floor, ribLeft, ribRight };
}

export function measureGroove(path: Path, reflectance: Field, tread: Field, reach: number): Groove {
  const rows = path.xs.map((x, i) => measureRow(reflectance, path.top + i, x, reach));
  const width = Math.max(1.2, median(rows.map((row) => row.right - row.left)));
  const clamp = (half: number) => Math.min(width, Math.max(0.6, half));
  const centres = running(
    rows.map((row) => (row.left + row.right) / 2),
    9,
  );
  const halves = running(
    rows.map((row) => clamp((row.right - row.left) / 2)),
    15,
  );
  const floors = rows.map((row, i) => rowMean(reflectance, path.top + i, centres[i]! - width / 5, centres[i]! + width / 5) || row.floor);
  const ribs = rows.map((row) => Math.min(row.ribLeft, row.ribRight));
  const [left, right] = [median(rows.map((row) => row.ribLeft)), median(rows.map((row) => row.ribRight))];
  return {
    path,
    left: centres.map((x, i) => x - halves[i]!),
    right: centres.map((x, i) => x + halves[i]!),
    widthPx: width,
    darkness: Math.min(1, quantile(floors, 0.4) / Math.max(1e-4, median(ribs))),
    ribBalance: Math.min(left, right) / Math.max(1e-4, left, right),
    continuity: rows.filter((row) => row.floor < 0.92 * Math.min(row.ribLeft, row.ribRight)).length / rows.length,
    wander: wanderOf(path.xs),
    rubber: Math.min(
      ...[-1, 1].map((side) =>
        quantile(
          path.xs.map((x, i) => near(tread, x + side * reach, path.top + i)),
          0.3,
        ),
      ),
    ),
  };
}

const near = (field: Field, x: number, y: number) => field.data[y * field.width + Math.min(field.width - 1, Math.max(0, Math.round(x)))]!;

/** Least squares on 1, u and u^2 - mean(u^2), which are orthogonal because u is symmetric around the middle. */
function wanderOf(xs: readonly number[]): number {
  const n = xs.length;
  const us = xs.map((_, i) => (2 * i) / (n - 1) - 1);
  const square = us.reduce((sum, u) => sum + u * u, 0) / n;
  const bases = [us.map(() => 1), us, us.map((u) => u * u - square)];
  const residual = Float64Array.from(xs);
  for (const basis of bases) {
    const dot = basis.reduce((sum, b, i) => sum + b * xs[i]!, 0) / basis.reduce((sum, b) => sum + b * b, 0);
    basis.forEach((b, i) => (residual[i]! -= dot * b));
  }
  return Math.sqrt(residual.reduce((sum, r) => sum + r * r, 0) / n) / n;
}

/** Running median, so that a stone or a sipe moves no wall. */
function running(values: readonly number[], reach: number): number[] {
  return values.map((_, i) => median(values.slice(Math.max(0, i - reach), i + reach + 1)));
}
