import type { Judged } from './judged';
import type { Ruleset } from '../rulesets/ruleset';

export type Severity = 'good' | 'caution' | 'critical' | 'unknown';

// Unknown is worse than good: a car with an unread tire is not good. Caution and critical are worse than unknown: an unread tire does not
// hide a known fault.
const RANK: Record<Severity, number> = { good: 0, unknown: 1, caution: 2, critical: 3 };

export function worst(severities: readonly Severity[]): Severity {
  if (severities.length === 0) return 'unknown';
  return severities.reduce((worse, next) => (RANK[next] > RANK[worse] ? next : worse));
}

export function judgeDepth(depthMm: number | null, { depth }: Ruleset): Judged<Severity> {
  const { legalLimitMm, inspectionThresholdMm } = depth;
  const judged = (verdict: Severity, rule: string) => ({
    verdict,
    rule,
    inputs: { minimumDepthMm: depthMm },
    thresholds: { legalLimitMm, inspectionThresholdMm },
  });
  if (depthMm === null) return judged('unknown', 'no groove of the tire has a depth');
  if (depthMm <= legalLimitMm) return judged('critical', 'the lowest groove is at the legal limit or below it');
  if (depthMm <= inspectionThresholdMm) return judged('caution', 'the lowest groove is at the inspection threshold or below it');
  return judged('good', 'the lowest groove is above the inspection threshold');
}

export const severityOfDepth = (depthMm: number | null, ruleset: Ruleset): Severity => judgeDepth(depthMm, ruleset).verdict;

/**
 * The worst tire decides. Uneven wear and axle differences need a look by a workshop, so they raise a good verdict to caution,
 * but no further: a difference between two sound tires is no reason to stop driving.
 */
export function judgeOverall(tires: readonly Severity[], lifts: readonly Severity[]): Judged<Severity> {
  const ofTires = worst(tires);
  const lifted = lifts.some((severity) => severity === 'caution' || severity === 'critical');
  const verdict = lifted ? worst([ofTires, 'caution']) : ofTires;
  return {
    verdict,
    rule: verdict === ofTires ? 'as the worst tire' : 'lifted to caution by uneven wear, a difference on an axle, or the sizes',
    inputs: { tires, wearAxlesAndSizes: lifts },
    thresholds: {},
  };
}

export const overallSeverity = (tires: readonly Severity[], lifts: readonly Severity[]): Severity => judgeOverall(tires, lifts).verdict;
