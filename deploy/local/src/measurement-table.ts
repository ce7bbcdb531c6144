import type { Report, ReportSlot } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel';

const inMm = (depthMm: number | null | undefined): string => (depthMm === null || depthMm === undefined ? '?' : formatDepth(depthMm));

/** The measurement of a slot, or its error. */
export function measured({ analysis }: ReportSlot): string {
  if (analysis.error) return `failed: ${analysis.error.code}`;
  if (!analysis.result) return analysis.status;
  if ('size' in analysis.result) {
    const { size } = analysis.result;
    return size ? `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}` : 'not read';
  }
  const depths = analysis.result.individual_depths.individual_remaining_depth.map(inMm).join('  ');
  return `${inMm(analysis.result.aggregated_depth?.aggregated_remaining_depth)} mm   grooves ${depths}   rotation ${analysis.result.tire_rotation ?? '?'}°`;
}

/** The measurements of a report, one line a slot. */
export const measurementTable = (report: Report): string =>
  report.slots.map((slot) => `    ${slot.slot_id.padEnd(26)} ${measured(slot)}`).join('\n');
