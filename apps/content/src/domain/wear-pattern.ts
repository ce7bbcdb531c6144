import type { Ruleset } from './ruleset';

export type WearCode =
  | 'even_wear'
  | 'center_wear_overinflation_candidate'
  | 'both_shoulder_wear_underinflation_candidate'
  | 'one_shoulder_wear_alignment_candidate'
  | 'mixed_or_uncertain';

export interface WearPattern {
  readonly code: WearCode;
  /** Which end of the tire is worn, seen from the car: only for one-shoulder wear. */
  readonly wornSide: 'outside' | 'inside' | null;
}

const pattern = (code: WearCode, wornSide: WearPattern['wornSide'] = null): WearPattern => ({ code, wornSide });
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
// Differences of tenths carry binary noise of about 1e-16.
const atLeast = (value: number, limit: number): boolean => value >= limit - 1e-9;

/** Depths are ordered outside to inside and rounded to what the reader sees. */
export function wearPattern(depthsMm: readonly number[], confidence: number | null, { wear }: Ruleset): WearPattern {
  if (depthsMm.length < wear.minimumGrooves) return pattern('mixed_or_uncertain');
  if (confidence !== null && confidence < wear.minimumConfidence) return pattern('mixed_or_uncertain');
  if (!atLeast(Math.max(...depthsMm) - Math.min(...depthsMm), wear.evenBelowMm)) return pattern('even_wear');

  const outer = depthsMm[0]!;
  const inner = depthsMm[depthsMm.length - 1]!;
  const center = mean(depthsMm.slice(1, -1));
  const symmetric = !atLeast(Math.abs(outer - inner), wear.symmetryBelowMm);
  if (symmetric && atLeast(Math.min(outer, inner) - center, wear.shoulderMm)) return pattern('center_wear_overinflation_candidate');

  const likeNew = depthsMm.length === wear.newTire.grooves && mean(depthsMm) > wear.newTire.meanAboveMm;
  if (symmetric && atLeast(center - Math.max(outer, inner), wear.shoulderMm)) {
    return pattern(likeNew ? 'even_wear' : 'both_shoulder_wear_underinflation_candidate');
  }
  if (atLeast(Math.abs(outer - inner), wear.oneShoulderMm) && isMonotone(depthsMm, wear.monotoneToleranceMm)) {
    if (likeNew) return pattern('even_wear');
    return pattern('one_shoulder_wear_alignment_candidate', outer < inner ? 'outside' : 'inside');
  }
  return pattern('mixed_or_uncertain');
}

function isMonotone(values: readonly number[], toleranceMm: number): boolean {
  const direction = Math.sign(values[values.length - 1]! - values[0]!);
  return values.slice(1).every((value, index) => atLeast((value - values[index]!) * direction, -toleranceMm));
}

export const isUneven = (code: WearCode): boolean => code !== 'even_wear' && code !== 'mixed_or_uncertain';
