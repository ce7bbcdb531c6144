import { median } from '../../src/domain/field';
import { errorTable, pairsOf, type Compared, type Pair } from './errors';
import { intervalFactorOf } from './interval-factor';

/** gauge = scale * measured + offset */
export interface Calibration {
  readonly scale: number;
  readonly offsetMm: number;
}

export interface CrossValidation {
  readonly calibration: Calibration;
  /** Cross-validated mean absolute error: each image under the line that was fitted without it. */
  readonly leftOutMeanAbsoluteMm: number;
  /** The growth of the intervals with which they hold for 90 % of the grooves, each under the line fitted without its image. */
  readonly intervalFactor: number;
}

/** With fewer images, or a smaller range of depths, a line cannot be fitted. */
export const MIN_IMAGES = 8;
const MIN_REACH_MM = 1.5;
const SCALES = [0.5, 2] as const;

export const calibrated = (measuredMm: number, { scale, offsetMm }: Calibration): number => Math.max(0, scale * measuredMm + offsetMm);

/**
 * Theil-Sen estimator: the median of the slopes through every two points. Up to a third of the readings may be wrong (a stone in the
 * groove, two grooves exchanged). A small range of depths gives no slope and only an offset.
 */
export function fitted(pairs: readonly Pair[]): Calibration {
  const slopes = pairs.flatMap((a, i) =>
    pairs
      .slice(i + 1)
      .filter((b) => Math.abs(b.measuredMm - a.measuredMm) > 0.2)
      .map((b) => (b.gaugeMm - a.gaugeMm) / (b.measuredMm - a.measuredMm)),
  );
  const measured = pairs.map(({ measuredMm }) => measuredMm);
  const flat = slopes.length === 0 || Math.max(...measured) - Math.min(...measured) < MIN_REACH_MM;
  const scale = flat ? 1 : Math.min(SCALES[1], Math.max(SCALES[0], median(slopes)));
  return { scale, offsetMm: median(pairs.map(({ gaugeMm, measuredMm }) => gaugeMm - scale * measuredMm)) };
}

/** The line through all images, and its leave-one-out error. */
export function crossValidated(compared: readonly Compared[]): CrossValidation {
  const matched = compared.filter((one) => pairsOf(one).length > 0);
  if (matched.length < MIN_IMAGES)
    throw new Error(`${matched.length} photographs have as many grooves as the gauge read; ${MIN_IMAGES} are needed`);
  const leftOut = matched.map((one) => under(one, fitted(matched.filter((other) => other !== one).flatMap(pairsOf))));
  return {
    calibration: fitted(matched.flatMap(pairsOf)),
    leftOutMeanAbsoluteMm: errorTable(leftOut).meanAbsoluteMm,
    intervalFactor: intervalFactorOf(leftOut.flatMap(pairsOf)),
  };
}

/** The depths under the line. Their intervals are as much wider as the line is steeper. */
export const under = (one: Compared, calibration: Calibration): Compared => ({
  ...one,
  measuredMm: one.measuredMm?.map((depthMm) => calibrated(depthMm, calibration)) ?? null,
  intervalsMm:
    one.intervalsMm?.map((interval, i) => {
      const depthMm = one.measuredMm![i]!;
      const to = calibrated(depthMm, calibration);
      return interval && [Math.max(0, to - calibration.scale * (depthMm - interval[0])), to + calibration.scale * (interval[1] - depthMm)];
    }) ?? null,
});
