import { fault, idAfter, roundDepth, slotId, type Position, type SlotId } from '@tire/kernel';
import type { Analysis, SidewallResult, TreadResult } from '@tire/contracts/api';
import { checkSlots } from './creation';
import type { RegisterCommand } from './measuring';
import { isRefusal, refuseFaults, type Refusal } from './refusal';
import { slotState, type Report, type ReportEvent } from './report';
import { holdsAsset, type AnalysisRecord } from './slot';
import { analysisStatus, isEnded } from './status';

/** The values that a person measured on one tire. */
export interface EnteredTire {
  readonly position: Position;
  /** From the outside of the vehicle to the inside. */
  readonly grooveDepthsMm: readonly number[];
  readonly size: NonNullable<SidewallResult['size']> | null;
}

/** One success for each slot with a value. The ids are new for each. */
export const enteredAnalyses = (tires: readonly EnteredTire[], at: string, newId: () => string): AnalysisRecord[] =>
  enteredResults(tires).map(([slotId, result]) => manualAnalysis(slotId, result, at, newId()));

export function manualAnalysis(slotId: SlotId, result: Result, at: string, analysisId: string): AnalysisRecord {
  const analysis: Analysis = {
    status: 'success',
    provenance: 'manual',
    engine: null,
    result,
    // An engine has confidence, a lifetime and a place in the image. A person enters none of them.
    quality: { recognized: true, confidence: null },
    error: null,
    completed_at: at,
  };
  return { slotId, analysisId, provenance: 'manual', errorCode: null, model: null, json: JSON.stringify(analysis) };
}

type Result = NonNullable<Analysis['result']>;

function enteredResults(tires: readonly EnteredTire[]): [SlotId, Result][] {
  return tires.flatMap(({ position, grooveDepthsMm, size }): [SlotId, Result][] => {
    const tread: [SlotId, Result] = [slotId({ position, image_type: 'tread' }), treadResult(grooveDepthsMm)];
    return size ? [tread, [slotId({ position, image_type: 'sidewall' }), { size }]] : [tread];
  });
}

/** Whether the stored results, as text by slot, are exactly these values. */
export function areEntered(results: ReadonlyMap<string, string>, tires: readonly EnteredTire[]): boolean {
  const entered = enteredResults(tires);
  return results.size === entered.length && entered.every(([id, result]) => results.get(id) === JSON.stringify(result));
}

const treadResult = (depthsMm: readonly number[]): TreadResult => ({
  aggregated_depth: { aggregated_remaining_depth: medianMm(depthsMm), estimated_lifetime: null },
  individual_depths: { individual_remaining_depth: [...depthsMm] },
  tire_rotation: null,
  vehicle_side: null,
  groove_masks: [],
  tread_roi: { bbox_xyxy_norm: null },
});

/** The aggregation of the engine. No gauge is more precise than a hundredth of a millimetre. */
export function medianMm(depthsMm: readonly number[]): number {
  const sorted = depthsMm.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return roundDepth(median, 2);
}

/** Images of a manual report are shown and not measured: the entered values stay, in a new revision with the images. */
export function attachImages(report: Report, { images, revisionId }: RegisterCommand, now: Date): readonly ReportEvent[] | Refusal {
  const checked = checkSlots(
    report.identity.template,
    images.map((image) => image.slotId),
    'images',
  );
  if (isRefusal(checked)) return checked;
  const at = now.toISOString();
  const events: ReportEvent[] = [];
  for (const [index, id] of checked.slotIds.entries()) {
    const state = slotState(report, id);
    const { assetId, sha256 } = images[index]!;
    if (state.phase !== 'succeeded')
      return refuseFaults([fault(`images[${index}].slot`, 'has no entered value, so no image can be added to it.')]);
    if (holdsAsset(state, assetId)) continue;
    events.push({ type: 'imageAttached', slotId: id, asset: { assetId, source: { kind: 'atrace_upload' }, sha256 }, at });
  }
  const status = analysisStatus(report);
  if (events.length === 0 || !isEnded(status)) return events;
  const id = report.revision ? idAfter(report.revision.revisionId, revisionId) : revisionId;
  return [...events, { type: 'analysisEnded', revision: { revisionId: id, status, completedAt: at }, at }];
}
