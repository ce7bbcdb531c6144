import type { Judged } from './judged';
import type { Ruleset } from '../rulesets/ruleset';
import type { Severity } from './severity';
import { mayDifferBy } from './difference';
import type { Bald } from '../source/doubts';
import type { DepthInterval } from './tire-verdict';

export type WearCode =
  | 'even_wear'
  | 'center_wear_overinflation_candidate'
  | 'both_shoulder_wear_underinflation_candidate'
  | 'one_shoulder_wear_alignment_candidate'
  | 'mixed_or_uncertain';

/** Why a code was given where the depths alone do not determine it. */
export type WearReason =
  | 'like_new'
  | 'no_depth'
  | 'few_grooves'
  | 'low_confidence'
  | 'no_pattern'
  | 'wide_interval'
  | 'bald'
  | 'part_unseen'
  | 'shared';

export interface WearPattern {
  readonly code: WearCode;
  readonly reason: WearReason | null;
  /** The worn end of the tire, seen from the car. Null for other patterns, and where the end is unknown. */
  readonly wornSide: 'outside' | 'inside' | null;
}

interface Across {
  readonly outerMm: number;
  readonly innerMm: number;
  readonly centerMm: number;
  readonly meanMm: number;
  readonly rangeMm: number;
  readonly monotone: boolean;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
// Differences of tenths carry binary noise of about 1e-16.
const atLeast = (value: number, limit: number): boolean => value >= limit - 1e-9;

const across = (depthsMm: readonly number[], { wear }: Ruleset): Across => ({
  outerMm: depthsMm[0]!,
  innerMm: depthsMm[depthsMm.length - 1]!,
  centerMm: mean(depthsMm.slice(1, -1)),
  meanMm: mean(depthsMm),
  rangeMm: Math.max(...depthsMm) - Math.min(...depthsMm),
  monotone: isMonotone(depthsMm, wear.monotoneToleranceMm),
});

type Decision = WearPattern & { readonly rule: string };

const decided = (code: WearCode, rule: string, wornSide: WearPattern['wornSide'] = null): Decision => ({
  code,
  rule,
  wornSide,
  reason: null,
});
const uncertain = (reason: WearReason, rule: string): Decision => ({ code: 'mixed_or_uncertain', wornSide: null, reason, rule });
const LIKE_NEW: Decision = {
  code: 'even_wear',
  wornSide: null,
  reason: 'like_new',
  rule: 'a new tire: its shoulder grooves are shallower by design',
};

/** Depths are ordered outside to inside and rounded to what the reader sees. */
function decide(depthsMm: readonly number[], confidence: number | null, ruleset: Ruleset): Decision {
  const { wear } = ruleset;
  if (depthsMm.length === 0) return uncertain('no_depth', 'no groove has a depth');
  if (depthsMm.length < wear.minimumGrooves) return uncertain('few_grooves', 'too few grooves to compare');
  if (confidence !== null && confidence < wear.minimumConfidence) return uncertain('low_confidence', 'the engine is not sure enough');
  const { outerMm, innerMm, centerMm, meanMm, rangeMm, monotone } = across(depthsMm, ruleset);
  if (!atLeast(rangeMm, wear.evenBelowMm)) return decided('even_wear', 'the grooves differ by less than the range of even wear');

  const symmetric = !atLeast(Math.abs(outerMm - innerMm), wear.symmetryBelowMm);
  if (symmetric && atLeast(Math.min(outerMm, innerMm) - centerMm, wear.shoulderMm)) {
    return decided('center_wear_overinflation_candidate', 'the shoulders are alike and the center is lower than both');
  }
  const likeNew = depthsMm.length === wear.newTire.grooves && meanMm > wear.newTire.meanAboveMm;
  if (symmetric && atLeast(centerMm - Math.max(outerMm, innerMm), wear.shoulderMm)) {
    if (likeNew) return LIKE_NEW;
    return decided('both_shoulder_wear_underinflation_candidate', 'the shoulders are alike and lower than the center');
  }
  if (atLeast(Math.abs(outerMm - innerMm), wear.oneShoulderMm) && monotone) {
    if (likeNew) return LIKE_NEW;
    const side = outerMm < innerMm ? 'outside' : 'inside';
    return decided('one_shoulder_wear_alignment_candidate', 'the depths fall steadily towards one shoulder', side);
  }
  return uncertain('no_pattern', 'the grooves differ, and in none of the known patterns');
}

export function wearPattern(depthsMm: readonly number[], confidence: number | null, ruleset: Ruleset): WearPattern {
  const { code, reason, wornSide } = decide(depthsMm, confidence, ruleset);
  return { code, reason, wornSide };
}

export function explainWear(depthsMm: readonly number[], confidence: number | null, ruleset: Ruleset): Judged<WearCode> {
  const { newTire, ...thresholds } = ruleset.wear;
  const { code, rule } = decide(depthsMm, confidence, ruleset);
  return {
    verdict: code,
    rule,
    inputs: { depthsMm, confidence, ...(depthsMm.length < ruleset.wear.minimumGrooves ? {} : across(depthsMm, ruleset)) },
    thresholds: { ...thresholds, newTireGrooves: newTire.grooves, newTireMeanAboveMm: newTire.meanAboveMm },
  };
}

function isMonotone(values: readonly number[], toleranceMm: number): boolean {
  const direction = Math.sign(values[values.length - 1]! - values[0]!);
  return values.slice(1).every((value, index) => atLeast((value - values[index]!) * direction, -toleranceMm));
}

/** A zone over more of the width is no wear of the center or of one shoulder. */
const WIDEST_ZONE = 0.5;

/**
 * Where a zone has lost its pattern, the zones are the pattern: the depths of the grooves beside them may be even. The outer shoulder is
 * the first one where the side of the car is known.
 */
export function wearOfBald({ places, shareOfWidth }: Pick<Bald, 'places' | 'shareOfWidth'>): WearPattern {
  if (places.length === 1 && shareOfWidth > WIDEST_ZONE) return { code: 'mixed_or_uncertain', wornSide: null, reason: 'bald' };
  switch (places.join()) {
    case 'center':
      return { code: 'center_wear_overinflation_candidate', wornSide: null, reason: null };
    case 'first_shoulder,last_shoulder':
      return { code: 'both_shoulder_wear_underinflation_candidate', wornSide: null, reason: null };
    case 'first_shoulder':
      return { code: 'one_shoulder_wear_alignment_candidate', wornSide: 'outside', reason: null };
    case 'last_shoulder':
      return { code: 'one_shoulder_wear_alignment_candidate', wornSide: 'inside', reason: null };
    default:
      return { code: 'mixed_or_uncertain', wornSide: null, reason: 'bald' };
  }
}

/**
 * Grooves that were measured about equally deep are even where their intervals leave no room for uneven wear. A tire is like new where the
 * low ends of its intervals are those of a new tire too.
 */
export function wearWithin(
  pattern: WearPattern,
  depthsMm: readonly number[],
  intervalsMm: readonly DepthInterval[],
  { wear }: Ruleset,
): WearPattern {
  if (pattern.code !== 'even_wear' || intervalsMm.length !== depthsMm.length) return pattern;
  const isCertain =
    pattern.reason === 'like_new'
      ? mean(intervalsMm.map(([lowMm]) => lowMm)) > wear.newTire.meanAboveMm
      : !depthsMm.some((one, index) =>
          depthsMm.some(
            (other, next) => next > index && mayDifferBy(wear.evenBelowMm, [one, intervalsMm[index]!], [other, intervalsMm[next]!]),
          ),
        );
  return isCertain ? pattern : { code: 'mixed_or_uncertain', reason: 'wide_interval', wornSide: null };
}

export const isUneven = (code: WearCode): boolean => code !== 'even_wear' && code !== 'mixed_or_uncertain';

/** From ruleset 2.0 on, even wear of a tire that is critical is not good. */
export function judgeWearOfCar(codes: readonly WearCode[], worstTire: Severity, { doubt }: Ruleset): Judged<Severity> {
  const judged = (verdict: Severity, rule: string) => ({ verdict, rule, inputs: { codes, worstTire }, thresholds: {} });
  if (codes.some(isUneven)) return judged('caution', 'a tire is worn unevenly');
  if (codes.includes('mixed_or_uncertain')) return judged('unknown', 'the pattern of a tire is not certain');
  if (doubt && worstTire === 'critical') return judged('caution', 'every tire is worn evenly, and one is critical');
  return judged('good', 'every tire is worn evenly');
}
