import type { Judged } from './judged';
import { roundTenth } from './numbers';
import type { Ruleset } from '../rulesets/ruleset';
import { worst, type Severity } from './severity';

export interface AxleVariance {
  readonly frontDeltaMm: number | null;
  readonly rearDeltaMm: number | null;
  readonly maxDeltaMm: number | null;
  readonly severity: Severity;
}

type SideDepths = { readonly left: number | null; readonly right: number | null };

export function axleVariance(front: SideDepths, rear: SideDepths, ruleset: Ruleset): AxleVariance {
  const frontDeltaMm = delta(front);
  const rearDeltaMm = delta(rear);
  const known = [frontDeltaMm, rearDeltaMm].filter((value) => value !== null);
  return {
    frontDeltaMm,
    rearDeltaMm,
    maxDeltaMm: known.length === 0 ? null : Math.max(...known),
    severity: worst([judgeDelta(frontDeltaMm, ruleset).verdict, judgeDelta(rearDeltaMm, ruleset).verdict]),
  };
}

const delta = ({ left, right }: SideDepths): number | null => (left === null || right === null ? null : roundTenth(Math.abs(left - right)));

export function judgeDelta(deltaMm: number | null, { axle }: Ruleset): Judged<Severity> {
  const { cautionFromMm, criticalFromMm } = axle;
  const judged = (verdict: Severity, rule: string) => ({
    verdict,
    rule,
    inputs: { deltaMm },
    thresholds: { cautionFromMm, criticalFromMm },
  });
  if (deltaMm === null) return judged('unknown', 'a side of the axle has no depth');
  if (deltaMm >= criticalFromMm) return judged('critical', 'the sides differ by the critical difference or more');
  if (deltaMm >= cautionFromMm) return judged('caution', 'the sides differ by the cautionary difference or more');
  return judged('good', 'the sides differ by less than the cautionary difference');
}
