import type { Pair } from './errors';

const COVERAGE = 0.9;
/** Grooves of one image err together, so a few images do not prove that an interval may be much narrower. */
const FACTORS = [0.5, 3] as const;
/** An interval of no width has no multiple. */
const MIN_DISTANCE_MM = 0.02;

/**
 * The factor for the distances of both ends from the depth, so that 90 % of the intervals contain the reading of the gauge; 1 without
 * intervals. The quantile of a small sample is too small on average: it is that of (n + 1) values (conformal prediction).
 */
export function intervalFactorOf(pairs: readonly Pair[]): number {
  const needed = pairs
    .flatMap(({ gaugeMm, measuredMm, intervalMm }) => {
      if (!intervalMm) return [];
      const reach = gaugeMm < measuredMm ? measuredMm - intervalMm[0] : intervalMm[1] - measuredMm;
      return [Math.abs(gaugeMm - measuredMm) / Math.max(MIN_DISTANCE_MM, reach)];
    })
    .sort((a, b) => a - b);
  if (needed.length === 0) return 1;
  const at = Math.min(needed.length, Math.ceil((needed.length + 1) * COVERAGE)) - 1;
  return Math.min(FACTORS[1], Math.max(FACTORS[0], needed[at]!));
}
