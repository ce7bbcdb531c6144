import { isAnalysisErrorCode, isRetakeReason, isSlotId, parseSlotId } from '@tire/kernel';
import type { SidewallResult, TreadResult } from '@tire/contracts/api';
import type { AnalysisFinished, Quality as MeasuredQuality, SidewallMeasurement, TreadMeasurement } from '@tire/contracts/events';
import type { SlotOutcome } from './slot';

type Groove = NonNullable<TreadResult['groove_masks']>[number];

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
    return { kind: 'measured', result: treadResult(outcome.value), quality: quality(outcome.value.quality) };
  }
  if (outcome?.$case === 'sidewall' && imageType === 'sidewall') {
    return { kind: 'measured', result: sidewallResult(outcome.value), quality: quality(outcome.value.quality) };
  }
  return FAILED;
}

/** JSON has no NaN and no infinity: a value that an engine could not measure is null. */
const finite = (value: number | undefined): number | null => (value !== undefined && Number.isFinite(value) ? value : null);

const quality = (measured: MeasuredQuality | undefined) => ({
  recognized: measured?.recognized ?? false,
  confidence: finite(measured?.confidence),
});

function treadResult(measured: TreadMeasurement): TreadResult {
  const aggregated = finite(measured.aggregatedRemainingDepthMm);
  const lifetime = finite(measured.estimatedLifetimeKm);
  return {
    aggregated_depth:
      aggregated === null && lifetime === null ? null : { aggregated_remaining_depth: aggregated, estimated_lifetime: lifetime },
    ...grooves(measured),
    tire_rotation: finite(measured.tireRotationDegClockwise),
    vehicle_side: vehicleSide(measured.vehicleSide),
    tread_roi: { bbox_xyxy_norm: box(measured.treadRoiBboxNorm) },
  };
}

/** Depths and masks share their index. A groove without a depth is dropped from both, and so are masks that match no depth. */
function grooves({ individualRemainingDepthMm: depths, grooveMasks: masks }: TreadMeasurement) {
  const paired = masks.length === depths.length;
  const keptMasks = paired ? masks.filter((_, index) => Number.isFinite(depths[index])) : [];
  return {
    individual_depths: { individual_remaining_depth: depths.filter(Number.isFinite) },
    groove_masks: keptMasks.map(({ depthMm, score, polygonXyNorm }): Groove => ({
      depth_mm: finite(depthMm),
      score: finite(score),
      polygon_xy_norm: outline(polygonXyNorm),
    })),
  };
}

const outline = (points: readonly { readonly x: number; readonly y: number }[]): [number, number][] =>
  points.flatMap(({ x, y }): [number, number][] => (Number.isFinite(x) && Number.isFinite(y) ? [[withinImage(x), withinImage(y)]] : []));

/** Normalized coordinates end at the border of the image. Rounding may put a mask that touches the border slightly outside. */
const withinImage = (normalized: number): number => Math.min(1, Math.max(0, normalized));

function box(measured: TreadMeasurement['treadRoiBboxNorm']): [number, number, number, number] | null {
  if (!measured) return null;
  const corners = [measured.x1, measured.y1, measured.x2, measured.y2] as const;
  if (!corners.every(Number.isFinite)) return null;
  return [withinImage(corners[0]), withinImage(corners[1]), withinImage(corners[2]), withinImage(corners[3])];
}

const vehicleSide = (side: string): TreadResult['vehicle_side'] =>
  side === 'left' || side === 'right' || side === 'unknown' ? side : null;

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
