import type { Judged } from './judged';
import { roundTenth } from './numbers';
import { monotoneCubic } from './pchip';
import type { Ruleset } from '../rulesets/ruleset';
import type { Severity } from './severity';
import type { DepthInterval } from './tire-verdict';

export type BrakingBand = 'short' | 'moderate' | 'long';

export interface BrakingEstimate {
  readonly newTireDistanceM: number;
  readonly currentTireDistanceM: number;
  readonly gapM: number;
  readonly gapCarLengths: number;
  readonly gapPercent: number;
  readonly speedAtNewTireStopKmh: number;
  readonly band: BrakingBand;
  /** For the interval of the lowest depth. */
  readonly currentTireDistanceRangeM: readonly [number, number] | null;
}

export function stoppingDistanceM(depthMm: number, { points, belowLimitRatio, clampBelowMm }: Ruleset['braking']): number {
  const [shallowestMm, shallowestM] = points[0]!;
  const [newMm] = points[points.length - 1]!;
  if (depthMm >= shallowestMm) return monotoneCubic(points, Math.min(depthMm, newMm));
  const deepestM = shallowestM * belowLimitRatio;
  const share = (shallowestMm - Math.max(depthMm, clampBelowMm)) / (shallowestMm - clampBelowMm);
  return shallowestM + (deepestM - shallowestM) * share;
}

export const newTireDistanceM = ({ braking: { points } }: Ruleset): number => roundTenth(points[points.length - 1]![1]);

/** Gap, percent and car lengths are computed from the rounded distances, so that a reader can check the sums. */
export function brakingEstimate(lowestDepthMm: number, ruleset: Ruleset, interval: DepthInterval | null = null): BrakingEstimate {
  const { braking } = ruleset;
  const newM = braking.points[braking.points.length - 1]![1];
  const currentM = stoppingDistanceM(lowestDepthMm, braking);
  const newTireM = newTireDistanceM(ruleset);
  const currentTireDistanceM = roundTenth(currentM);
  const gapM = roundTenth(currentTireDistanceM - newTireM);
  const gapPercent = roundTenth((gapM / newTireM) * 100);
  return {
    newTireDistanceM: newTireM,
    currentTireDistanceM,
    gapM,
    gapCarLengths: roundTenth(gapM / braking.carLengthM),
    gapPercent,
    // Without a gap both tires stop at the same place.
    speedAtNewTireStopKmh: gapM === 0 ? 0 : roundTenth(braking.speedKmh * Math.sqrt(1 - newM / currentM)),
    band: judgeBand(gapPercent, ruleset).verdict,
    currentTireDistanceRangeM: interval && [
      roundTenth(stoppingDistanceM(interval[1], braking)),
      roundTenth(stoppingDistanceM(interval[0], braking)),
    ],
  };
}

export function judgeBand(gapPercent: number, { braking }: Ruleset): Judged<BrakingBand> {
  const { moderateFromPercent, longFromPercent } = braking;
  const judged = (verdict: BrakingBand, rule: string) => ({
    verdict,
    rule,
    inputs: { gapPercent },
    thresholds: { moderateFromPercent, longFromPercent },
  });
  if (gapPercent < moderateFromPercent)
    return judged('short', 'the stop is longer than that of a new tire by less than the moderate share');
  if (gapPercent < longFromPercent) return judged('moderate', 'the stop is longer than that of a new tire by less than the long share');
  return judged('long', 'the stop is longer than that of a new tire by the long share or more');
}

/**
 * A long stop is a caution before the depth is one; it is critical only where a tire is. The estimate uses the lowest tire of the
 * car, so an unread tire makes a short stop uncertain.
 */
export function judgeBraking(band: BrakingBand | null, tires: readonly Severity[]): Judged<Severity> {
  const judged = (verdict: Severity, rule: string) => ({ verdict, rule, inputs: { band, tires }, thresholds: {} });
  if (tires.includes('critical')) return judged('critical', 'a tire is critical');
  if (band === null) return judged('unknown', 'no tire has a depth');
  if (band === 'long') return judged('caution', 'the stop is long');
  if (tires.includes('unknown')) return judged('unknown', 'a tire that was not read may be the lowest');
  return judged('good', 'every tire was read, and the stop is not long');
}
