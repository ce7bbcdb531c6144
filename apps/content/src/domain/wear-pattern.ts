import type { Ruleset } from './ruleset';

export type WearCode =
  | 'even_wear'
  | 'center_wear_overinflation_candidate'
  | 'both_shoulder_wear_underinflation_candidate'
  | 'one_shoulder_wear_alignment_candidate'
  | 'mixed_or_uncertain';

/** Why a code was given where the depths alone do not say it. */
export type WearReason = 'like_new' | 'no_depth' | 'few_grooves' | 'low_confidence' | 'no_pattern';

export interface WearPattern {
  readonly code: WearCode;
  readonly reason: WearReason | null;
  /** Which end of the tire is worn, seen from the car: only for one-shoulder wear. */
  readonly wornSide: 'outside' | 'inside' | null;
}

const pattern = (code: WearCode, wornSide: WearPattern['wornSide'] = null): WearPattern => ({ code, wornSide, reason: null });
const uncertain = (reason: WearReason): WearPattern => ({ code: 'mixed_or_uncertain', wornSide: null, reason });
const LIKE_NEW: WearPattern = { code: 'even_wear', wornSide: null, reason: 'like_new' };
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
// Differences of tenths carry binary noise of about 1e-16.
const atLeast = (value: number, limit: number): boolean => value >= limit - 1e-9;

/** Depths are ordered outside to inside and rounded to what the reader sees. */
export function wearPattern(depthsMm: readonly number[], confidence: number | null, { wear }: Ruleset): WearPattern {
  if (depthsMm.length === 0) return uncertain('no_depth');
  if (depthsMm.length < wear.minimumGrooves) return uncertain('few_grooves');
  if (confidence !== null && confidence < wear.minimumConfidence) return uncertain('low_confidence');
  if (!atLeast(Math.max(...depthsMm) - Math.min(...depthsMm), wear.evenBelowMm)) return pattern('even_wear');

  const outer = depthsMm[0]!;
  const inner = depthsMm[depthsMm.length - 1]!;
  const center = mean(depthsMm.slice(1, -1));
  const symmetric = !atLeast(Math.abs(outer - inner), wear.symmetryBelowMm);
  if (symmetric && atLeast(Math.min(outer, inner) - center, wear.shoulderMm)) return pattern('center_wear_overinflation_candidate');

  const likeNew = depthsMm.length === wear.newTire.grooves && mean(depthsMm) > wear.newTire.meanAboveMm;
  if (symmetric && atLeast(center - Math.max(outer, inner), wear.shoulderMm)) {
    return likeNew ? LIKE_NEW : pattern('both_shoulder_wear_underinflation_candidate');
  }
  if (atLeast(Math.abs(outer - inner), wear.oneShoulderMm) && isMonotone(depthsMm, wear.monotoneToleranceMm)) {
    if (likeNew) return LIKE_NEW;
    return pattern('one_shoulder_wear_alignment_candidate', outer < inner ? 'outside' : 'inside');
  }
  return uncertain('no_pattern');
}

function isMonotone(values: readonly number[], toleranceMm: number): boolean {
  const direction = Math.sign(values[values.length - 1]! - values[0]!);
  return values.slice(1).every((value, index) => atLeast((value - values[index]!) * direction, -toleranceMm));
}

export const isUneven = (code: WearCode): boolean => code !== 'even_wear' && code !== 'mixed_or_uncertain';
