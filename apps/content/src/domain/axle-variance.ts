import { roundTenth } from './numbers';
import type { Ruleset } from './ruleset';
import { worst, type Severity } from './verdict';

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
    severity: worst([severityOfDelta(frontDeltaMm, ruleset), severityOfDelta(rearDeltaMm, ruleset)]),
  };
}

const delta = ({ left, right }: SideDepths): number | null => (left === null || right === null ? null : roundTenth(Math.abs(left - right)));

function severityOfDelta(deltaMm: number | null, { axle }: Ruleset): Severity {
  if (deltaMm === null) return 'unknown';
  if (deltaMm >= axle.criticalFromMm) return 'critical';
  return deltaMm >= axle.cautionFromMm ? 'caution' : 'good';
}
