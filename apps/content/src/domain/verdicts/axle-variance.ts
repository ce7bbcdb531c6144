import type { Judged } from './judged';
import { roundTenth } from './numbers';
import type { Ruleset } from '../rulesets/ruleset';
import { worst, type Severity } from './severity';
import { mayDifferBy } from './difference';
import type { DepthInterval } from './tire-verdict';

/**
 * `cannot_tell`: the sides were measured alike, and the intervals leave room for the cautionary difference. `maybe_alike`: they differ by it,
 * and the intervals overlap. `differs_much`: by the critical difference, and surely.
 */
export type AxleFinding = 'unknown' | 'alike' | 'cannot_tell' | 'maybe_alike' | 'differs' | 'differs_much';

export interface AxleVariance {
  readonly frontDeltaMm: number | null;
  readonly rearDeltaMm: number | null;
  readonly maxDeltaMm: number | null;
  readonly severity: Severity;
  readonly front: AxleFinding;
  readonly rear: AxleFinding;
}

interface SideDepths {
  readonly left: number | null;
  readonly right: number | null;
  /** A tire of the axle is critical. */
  readonly isWorn?: boolean;
  readonly intervals?: readonly [left: DepthInterval, right: DepthInterval] | null;
}

export function axleVariance(front: SideDepths, rear: SideDepths, ruleset: Ruleset): AxleVariance {
  const frontDeltaMm = delta(front);
  const rearDeltaMm = delta(rear);
  const known = [frontDeltaMm, rearDeltaMm].filter((value) => value !== null);
  return {
    frontDeltaMm,
    rearDeltaMm,
    maxDeltaMm: known.length === 0 ? null : Math.max(...known),
    severity: worst([judgeAxle(front, ruleset).verdict, judgeAxle(rear, ruleset).verdict]),
    front: axleFinding(front, ruleset),
    rear: axleFinding(rear, ruleset),
  };
}

const delta = ({ left, right }: SideDepths): number | null => (left === null || right === null ? null : roundTenth(Math.abs(left - right)));

const overlap = ({ intervals }: Pick<SideDepths, 'intervals'>): boolean =>
  !!intervals && Math.max(intervals[0][0], intervals[1][0]) <= Math.min(intervals[0][1], intervals[1][1]);

/** Whether two sides with the same measured depth may differ. */
const mayDiffer = ({ left, right, intervals }: SideDepths, { axle }: Ruleset): boolean =>
  left !== null && right !== null && !!intervals && mayDifferBy(axle.cautionFromMm, [left, intervals[0]], [right, intervals[1]]);

function axleFinding(sides: SideDepths, ruleset: Ruleset): AxleFinding {
  const { cautionFromMm, criticalFromMm } = ruleset.axle;
  const deltaMm = delta(sides);
  if (deltaMm === null) return 'unknown';
  if (deltaMm < cautionFromMm) return mayDiffer(sides, ruleset) ? 'cannot_tell' : 'alike';
  if (overlap(sides)) return 'maybe_alike';
  return deltaMm >= criticalFromMm ? 'differs_much' : 'differs';
}

/**
 * Where the sides may be alike, the difference is a reason for a check, and no more. From ruleset 2.0 on no difference is more than that: the
 * section is never worse than the car. Alike sides of an axle with a critical tire are not good either.
 */
export function judgeAxle(sides: SideDepths, ruleset: Ruleset): Judged<Severity> {
  const { axle, doubt } = ruleset;
  const { cautionFromMm, criticalFromMm } = axle;
  const judged = (verdict: Severity, rule: string) => ({
    verdict,
    rule,
    inputs: { deltaMm: delta(sides) },
    thresholds: { cautionFromMm, criticalFromMm },
  });
  const finding = axleFinding(sides, ruleset);
  switch (finding) {
    case 'unknown':
      return judged('unknown', 'a side of the axle has no depth');
    case 'maybe_alike':
      return judged('caution', 'the sides differ, and their intervals overlap');
    case 'differs_much':
      return judged(doubt ? 'caution' : 'critical', 'the sides differ by the critical difference or more');
    case 'differs':
      return judged('caution', 'the sides differ by the cautionary difference or more');
    case 'cannot_tell':
    case 'alike':
      if (doubt && sides.isWorn) return judged('caution', 'the sides are alike, and a tire of the axle is critical');
      return finding === 'alike'
        ? judged('good', 'the sides differ by less than the cautionary difference')
        : judged('unknown', 'the sides were measured alike, and their intervals leave room for a difference');
  }
}
