import type { Judged } from './judged';
import { roundTenth } from './numbers';
import type { Ruleset } from '../rulesets/ruleset';
import { worst, type Severity } from './severity';
import type { DepthInterval } from './tire-verdict';

export interface AxleVariance {
  readonly frontDeltaMm: number | null;
  readonly rearDeltaMm: number | null;
  readonly maxDeltaMm: number | null;
  readonly severity: Severity;
  /** The intervals of the two sides overlap on every axle that differs: the sides may be alike. */
  readonly maybeAlike: boolean;
}

interface SideDepths {
  readonly left: number | null;
  readonly right: number | null;
  readonly intervals?: readonly [left: DepthInterval, right: DepthInterval] | null;
}

export function axleVariance(front: SideDepths, rear: SideDepths, ruleset: Ruleset): AxleVariance {
  const frontDeltaMm = delta(front);
  const rearDeltaMm = delta(rear);
  const known = [frontDeltaMm, rearDeltaMm].filter((value) => value !== null);
  const judged = [judgeDelta(frontDeltaMm, ruleset, overlap(front)).verdict, judgeDelta(rearDeltaMm, ruleset, overlap(rear)).verdict];
  const differ = [front, rear].filter((_axle, index) => judged[index] === 'caution' || judged[index] === 'critical');
  return {
    frontDeltaMm,
    rearDeltaMm,
    maxDeltaMm: known.length === 0 ? null : Math.max(...known),
    severity: worst(judged),
    maybeAlike: differ.length > 0 && differ.every(overlap),
  };
}

const delta = ({ left, right }: SideDepths): number | null => (left === null || right === null ? null : roundTenth(Math.abs(left - right)));

export const overlap = ({ intervals }: Pick<SideDepths, 'intervals'>): boolean =>
  !!intervals && Math.max(intervals[0][0], intervals[1][0]) <= Math.min(intervals[0][1], intervals[1][1]);

/** Where the sides may be alike, the difference is a reason for a check, and no more. */
export function judgeDelta(deltaMm: number | null, { axle }: Ruleset, maybeAlike = false): Judged<Severity> {
  const { cautionFromMm, criticalFromMm } = axle;
  const judged = (verdict: Severity, rule: string) => ({
    verdict,
    rule,
    inputs: { deltaMm },
    thresholds: { cautionFromMm, criticalFromMm },
  });
  if (deltaMm === null) return judged('unknown', 'a side of the axle has no depth');
  if (deltaMm >= criticalFromMm && maybeAlike) return judged('caution', 'the sides differ, and their intervals overlap');
  if (deltaMm >= criticalFromMm) return judged('critical', 'the sides differ by the critical difference or more');
  if (deltaMm >= cautionFromMm) return judged('caution', 'the sides differ by the cautionary difference or more');
  return judged('good', 'the sides differ by less than the cautionary difference');
}
