import { isAnalysisErrorCode, isRetakeReason, isSlotId, parseSlotId, type SlotId } from '@tire/kernel';
import type { SidewallResult } from '@tire/contracts/api';
import type { AnalysisFinished, Quality as MeasuredQuality, SidewallMeasurement } from '@tire/contracts/events';
import { MANUAL_LIMITS } from '@tire/contracts/limits';
import { finite, outline } from './measured-values';
import type { Size, SlotOutcome } from './slot';
import { treadResult } from './tread-result';

const FAILED: SlotOutcome = { kind: 'failed', errorCode: 'analysis_failed' };

/** The report of an engine, with the names of report.v1. A result for another image type than that of the slot is a failed analysis. */
export function slotOutcome(slotId: string, outcome: AnalysisFinished['outcome'], retakeReasons: readonly string[] = []): SlotOutcome {
  const known = retakeReasons.filter(isRetakeReason);
  return { ...outcomeOf(slotId, outcome), ...(known.length > 0 ? { retakeReasons: known } : {}) };
}

function outcomeOf(slotId: string, outcome: AnalysisFinished['outcome']): SlotOutcome {
  if (!isSlotId(slotId)) return FAILED;
  const imageType = parseSlotId(slotId).image_type;
  if (outcome?.$case === 'errorCode') {
    return isAnalysisErrorCode(outcome.value) ? { kind: 'failed', errorCode: outcome.value } : FAILED;
  }
  if (outcome?.$case === 'tread' && imageType === 'tread') {
    const result = treadResult(outcome.value);
    const measured = quality(outcome.value.quality);
    return { kind: 'measured', result, quality: result.bald_zones?.worn_smooth ? { ...measured, recognized: true } : measured };
  }
  if (outcome?.$case === 'sidewall' && imageType === 'sidewall') {
    return { kind: 'measured', result: sidewallResult(outcome.value), quality: quality(outcome.value.quality) };
  }
  return FAILED;
}

/** The size that an engine would guess. It gives none where it read one. A member may confirm only a size that may be entered. */
export function guessedSize(slotId: SlotId, outcome: AnalysisFinished['outcome']): Size | null {
  if (outcome?.$case !== 'sidewall' || parseSlotId(slotId).image_type !== 'sidewall' || outcome.value.size) return null;
  const size = completeSize(outcome.value.guess);
  return size && mayBeEntered(size) ? size : null;
}

const mayBeEntered = ({ section_width, aspect_ratio, rim_diameter }: Size): boolean =>
  isWithin(section_width, MANUAL_LIMITS.sectionWidthMm) &&
  isWithin(aspect_ratio, MANUAL_LIMITS.aspectRatioPercent) &&
  isWithin(rim_diameter, MANUAL_LIMITS.rimDiameterInch);

const isWithin = (value: number | null, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value !== null && value >= min && value <= max;

const quality = (measured: MeasuredQuality | undefined) => ({
  recognized: measured?.recognized ?? false,
  confidence: finite(measured?.confidence),
});

/** A size is all three integers or none. Other fields are present only when they were read, and the speed marker never is. */
function sidewallResult({ size: measured, sizePlace, loadIndex, manufactured, brand }: SidewallMeasurement): SidewallResult {
  const size = completeSize(measured);
  const place = outline(sizePlace?.polygonXyNorm ?? []);
  return {
    size,
    ...(size && place.length > 0 ? { size_polygon_xy_norm: place } : {}),
    ...(size && isCount(loadIndex) ? { load_index: loadIndex } : {}),
    ...(manufactured ? { manufactured: { week: manufactured.week, year: manufactured.year, age_months: manufactured.ageMonths } } : {}),
    ...(brand ? { brand } : {}),
  };
}

const isCount = (value: number | undefined): value is number => value !== undefined && Number.isInteger(value) && value > 0;

function completeSize(measured: SidewallMeasurement['size']): SidewallResult['size'] {
  if (!measured) return null;
  const { sectionWidthMm, aspectRatioPercent, rimDiameterInch } = measured;
  const read = [sectionWidthMm, aspectRatioPercent, rimDiameterInch].every(isCount);
  return read ? { section_width: sectionWidthMm, aspect_ratio: aspectRatioPercent, rim_diameter: rimDiameterInch } : null;
}
