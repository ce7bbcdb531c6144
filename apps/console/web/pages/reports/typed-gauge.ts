import type { ReportSlot } from '@tire/contracts/api';
import type { SetGaugeRequest } from '@tire/contracts/console';
import { readDepth, LIMITS, type DepthFault } from '../creation/typed-values';

type Analysis = ReportSlot['analysis'];
type GaugeChange = SetGaugeRequest['values'][number];

/** Only an engine measures grooves over which a gauge value can be entered. */
export const measuredDepths = ({ provenance, result, gauge }: Analysis): readonly number[] =>
  provenance === 'engine' && result && 'individual_depths' in result
    ? result.individual_depths.individual_remaining_depth.map(
        (depthMm, index) => gauge?.find(({ groove }) => groove === index + 1)?.measured_mm ?? depthMm,
      )
    : [];

/** What stands in the fields at first: the values of the gauge that the tire has. */
export const typedBefore = (analysis: Analysis): string[] =>
  measuredDepths(analysis).map((_, index) => {
    const value = analysis.gauge?.find(({ groove }) => groove === index + 1);
    return value ? String(value.depth_mm) : '';
  });

export const gaugeFault = (text: string): DepthFault | null => {
  const read = readDepth(text);
  return read && 'fault' in read ? read.fault : null;
};

/** What differs from the values that the tire has. An emptied field withdraws its value. Every text must be valid. */
export const gaugeChanges = (analysis: Analysis, typed: readonly string[]): GaugeChange[] =>
  typed.flatMap((text, index): GaugeChange[] => {
    const read = readDepth(text);
    const depth_mm = read && 'value' in read ? read.value : null;
    const before = analysis.gauge?.find(({ groove }) => groove === index + 1)?.depth_mm ?? null;
    return depth_mm === before ? [] : [{ groove: index + 1, depth_mm }];
  });

/** The grooves whose value is possible but unlikely for a tire, or far from what the photograph shows. */
export const unusualGrooves = (analysis: Analysis, changes: readonly GaugeChange[]): number[] =>
  changes.flatMap(({ groove, depth_mm: depthMm }) => {
    if (depthMm === null) return [];
    const { unusualAbove, unusualBelow, unusualSpread } = LIMITS.depthMm;
    const isFar = Math.abs(depthMm - measuredDepths(analysis)[groove - 1]!) > unusualSpread;
    return depthMm > unusualAbove || depthMm < unusualBelow || isFar ? [groove] : [];
  });
