import type { Ruleset } from './ruleset';

export type Severity = 'good' | 'caution' | 'critical' | 'unknown';

// Unknown is worse than good: a car with an unread tire is not called good. A known fault is not hidden by an unread tire.
const RANK: Record<Severity, number> = { good: 0, unknown: 1, caution: 2, critical: 3 };

export function worst(severities: readonly Severity[]): Severity {
  if (severities.length === 0) return 'unknown';
  return severities.reduce((worse, next) => (RANK[next] > RANK[worse] ? next : worse));
}

export function severityOfDepth(depthMm: number | null, { depth }: Ruleset): Severity {
  if (depthMm === null) return 'unknown';
  if (depthMm <= depth.legalLimitMm) return 'critical';
  return depthMm <= depth.inspectionThresholdMm ? 'caution' : 'good';
}

/**
 * The tires decide. Uneven wear and axle differences ask for a look by a workshop, so they lift a good verdict to caution,
 * and never further: a difference between two sound tires is no reason to stop driving.
 */
export function overallSeverity(tires: readonly Severity[], lifts: readonly Severity[]): Severity {
  const lifted = lifts.some((severity) => severity === 'caution' || severity === 'critical');
  return worst(lifted ? [...tires, 'caution'] : tires);
}
