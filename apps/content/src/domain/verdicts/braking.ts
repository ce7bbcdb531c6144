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
  /** For the ends of the range; without a range, the band. */
  readonly nearestBand: BrakingBand;
  readonly farthestBand: BrakingBand;
  /** The distances for the interval of the lowest depth. */
  readonly currentTireDistanceRangeM: readonly [number, number] | null;
  /** The depth, or the low end of its interval, lies below the depths whose distances are known: the far end is a lower bound. */
  readonly isAtLeast: boolean;
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
  const percentOf = (metres: number) => roundTenth((metres / newTireM) * 100);
  const gapPercent = percentOf(gapM);
  const reachM =
    interval && ([interval[1], interval[0]].map((depthMm) => roundTenth(stoppingDistanceM(depthMm, braking))) as [number, number]);
  const bandAt = (metres: number): BrakingBand => judgeBand(percentOf(roundTenth(metres - newTireM)), ruleset).verdict;
  const band = bandAt(currentTireDistanceM);
  return {
    newTireDistanceM: newTireM,
    currentTireDistanceM,
    gapM,
    gapCarLengths: roundTenth(gapM / braking.carLengthM),
    gapPercent,
    // Without a gap both tires stop at the same place.
    speedAtNewTireStopKmh: gapM === 0 ? 0 : roundTenth(braking.speedKmh * Math.sqrt(1 - newM / currentM)),
    band,
    nearestBand: reachM ? bandAt(reachM[0]) : band,
    farthestBand: reachM ? bandAt(reachM[1]) : band,
    currentTireDistanceRangeM: reachM,
    isAtLeast: (interval?.[0] ?? lowestDepthMm) < braking.clampBelowMm,
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

/** What the lowest measured groove does not show. */
interface NotInDepth {
  readonly isAged: boolean;
  readonly isPartUnseen: boolean;
}

/**
 * A stop that may be long is a caution before the depth is one; it is critical only where a tire is. The estimate uses the lowest groove of the
 * car, so an unread tire or an unseen part makes a short stop uncertain, and so does aged rubber, because the depth does not show it.
 */
export function judgeBraking(band: BrakingBand | null, tires: readonly Severity[], { isAged, isPartUnseen }: NotInDepth): Judged<Severity> {
  const judged = (verdict: Severity, rule: string) => ({ verdict, rule, inputs: { band, tires, isAged, isPartUnseen }, thresholds: {} });
  if (tires.includes('critical')) return judged('critical', 'a tire is critical');
  if (band === null) return judged('unknown', 'no tire has a depth');
  if (band === 'long') return judged('caution', 'the stop is long');
  if (tires.includes('unknown')) return judged('unknown', 'a tire that was not read may be the lowest');
  if (isPartUnseen) return judged('unknown', 'a part of a tread was not seen, and a lower groove may be there');
  if (isAged) return judged('unknown', 'a tire is old, and the estimate is one of its depth alone');
  return judged('good', 'every tire was read, and the stop is not long');
}
