import { median } from '../../src/domain/field';
import { errorTable, pairsOf, type Compared, type Pair } from './errors';

/** gauge = scale * measured + offset */
export interface Calibration {
  readonly scale: number;
  readonly offsetMm: number;
}

export interface CrossValidation {
  readonly calibration: Calibration;
  /** Mean absolute error of each photograph under the line that was fitted without it: what the next photographs may expect. */
  readonly leftOutMeanAbsoluteMm: number;
}

/** Fewer than that, or depths closer together, say nothing about a line. */
export const MIN_PHOTOGRAPHS = 8;
const MIN_REACH_MM = 1.5;
const SCALES = [0.5, 2] as const;

export const calibrated = (measuredMm: number, { scale, offsetMm }: Calibration): number => Math.max(0, scale * measuredMm + offsetMm);

/**
 * The line of Theil and Sen: the middle of the slopes through every two points, which a third of the readings may spoil (a stone in the
 * groove, two grooves exchanged) without moving it. Depths too close together give no slope and only an offset.
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

/** The line through all photographs, and how lines through all but one do on that one. */
export function crossValidated(compared: readonly Compared[]): CrossValidation {
  const matched = compared.filter((one) => pairsOf(one).length > 0);
  if (matched.length < MIN_PHOTOGRAPHS)
    throw new Error(`${matched.length} photographs have as many grooves as the gauge read; ${MIN_PHOTOGRAPHS} are needed`);
  const leftOut = matched.map((one) => under(one, fitted(matched.filter((other) => other !== one).flatMap(pairsOf))));
  return { calibration: fitted(matched.flatMap(pairsOf)), leftOutMeanAbsoluteMm: errorTable(leftOut).meanAbsoluteMm };
}

export const under = (one: Compared, calibration: Calibration): Compared => ({
  ...one,
  measuredMm: one.measuredMm?.map((depthMm) => calibrated(depthMm, calibration)) ?? null,
});
