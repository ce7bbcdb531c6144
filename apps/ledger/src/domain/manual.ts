import { idAfter, slotId, type Position, type SlotId } from '@tire/kernel';
import type { Analysis, SidewallResult, TreadResult } from '@tire/contracts';
import { checkSlots } from './creation';
import type { RegisterCommand } from './measuring';
import { isRefusal, refuse, type Refusal } from './refusal';
import { slotState, type Report, type ReportEvent } from './report';
import { holdsAsset, type ReportSlotRecord } from './slot';
import { analysisStatus, isEnded } from './status';

/** What a person measured on one tire. */
export interface EnteredTire {
  readonly position: Position;
  /** From the outside of the vehicle to the inside. */
  readonly grooveDepthsMm: readonly number[];
  readonly size: NonNullable<SidewallResult['size']> | null;
}

/** Each is a slot that has succeeded without a photograph. */
export function enteredSlots(tires: readonly EnteredTire[], at: string): ReportSlotRecord[] {
  return tires.flatMap(({ position, grooveDepthsMm, size }) => {
    const tread = entered(slotId({ position, image_type: 'tread' }), treadResult(grooveDepthsMm), at);
    return size ? [tread, entered(slotId({ position, image_type: 'sidewall' }), { size }, at)] : [tread];
  });
}

/** Whether it was made of these values and of no others. Photographs that came since, and the moment, don't count. */
export function holdsEntered({ slots }: Report, tires: readonly EnteredTire[]): boolean {
  const results = new Map(enteredSlots(tires, '').map((slot) => [slot.slotId, resultOf(slot)]));
  return slots.every((slot) => resultOf(slot) === (results.get(slot.slotId) ?? null));
}

const resultOf = ({ state }: ReportSlotRecord): string | null =>
  state.phase === 'succeeded' ? JSON.stringify(state.analysis.result) : null;

/** Nothing is claimed that an engine would have said: no confidence, no lifetime, no place in an image. */
function entered(id: SlotId, result: NonNullable<Analysis['result']>, at: string): ReportSlotRecord {
  const analysis: Analysis = {
    status: 'success',
    provenance: 'manual',
    engine: null,
    result,
    quality: { recognized: true, confidence: null },
    error: null,
    completed_at: at,
  };
  return { slotId: id, state: { phase: 'succeeded', asset: null, analysis, model: null } };
}

const treadResult = (depthsMm: readonly number[]): TreadResult => ({
  aggregated_depth: { aggregated_remaining_depth: medianMm(depthsMm), estimated_lifetime: null },
  individual_depths: { individual_remaining_depth: [...depthsMm] },
  tire_rotation: null,
  vehicle_side: null,
  groove_masks: [],
  tread_roi: { bbox_xyxy_norm: null },
});

/** As the engine aggregates grooves; a hundredth of a millimetre is more than any gauge tells. */
function medianMm(depthsMm: readonly number[]): number {
  const sorted = depthsMm.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return Math.round(median * 100) / 100;
}

/** Photographs of a manual report are shown and not measured: what was entered stands, in a new revision that holds them. */
export function attachPhotographs(report: Report, { images, revisionId }: RegisterCommand, now: Date): readonly ReportEvent[] | Refusal {
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
    const { assetId } = images[index]!;
    if (state.phase !== 'succeeded') return refuse('validation_error', `images[${index}].slot`);
    if (holdsAsset(state, assetId)) continue;
    events.push({ type: 'photographAttached', slotId: id, asset: { assetId, source: { kind: 'atrace_upload' } }, at });
  }
  const status = analysisStatus(report);
  if (events.length === 0 || !isEnded(status)) return events;
  const id = report.revision ? idAfter(report.revision.revisionId, revisionId) : revisionId;
  return [...events, { type: 'analysisEnded', revision: { revisionId: id, status, completedAt: at }, at }];
}
