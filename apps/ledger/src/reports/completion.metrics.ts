import { timeOfId } from '@tire/kernel';
import { ATTRIBUTES, meter, METRICS } from '@tire/platform';
import type { Report, ReportEvent } from '../domain/report';

const BOUNDS_S = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

const completion = meter().createHistogram(METRICS.reportCompletion, {
  description: 'From the last image of a report to the end of its analysis',
  unit: 's',
  advice: { explicitBucketBoundaries: BOUNDS_S },
});

/**
 * From the latest request of an analysis to the end of the last one. Null if no measurement ended: a person confirmed or corrected a value,
 * or the report was created with its values.
 */
export function completionMs({ slots }: Report, events: readonly ReportEvent[]): number | null {
  const ended = events.find((event) => event.type === 'analysisEnded');
  if (ended?.type !== 'analysisEnded' || !events.some(({ type }) => type === 'slotEnded')) return null;
  const requestedMs = slots.flatMap(({ state }) =>
    state.phase === 'succeeded' || state.phase === 'failed' ? [timeOfId(state.analysis.analysisId).getTime()] : [],
  );
  return requestedMs.length === 0 ? null : Math.max(0, Date.parse(ended.revision.completedAt) - Math.max(...requestedMs));
}

export function measureCompletion(report: Report, events: readonly ReportEvent[]): void {
  const durationMs = completionMs(report, events);
  if (durationMs !== null) completion.record(durationMs / 1_000, { [ATTRIBUTES.kind]: report.identity.projectMode });
}
