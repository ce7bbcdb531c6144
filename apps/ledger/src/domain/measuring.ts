import type { SlotId } from '@tire/kernel';
import { checkSlots } from './creation';
import { isRefusal, refuse, type Refusal } from './refusal';
import { slotState, type Report, type ReportEvent } from './report';
import { holdsAsset, type SlotAsset, type SlotState } from './slot';

/** What partners ask to be measured: uploads for the first time, photographs that are there once more. */

export interface RegisterCommand {
  readonly type: 'registerImages';
  readonly images: readonly RegisteredUpload[];
  readonly replace: boolean;
  /** Of the revision that photographs of a manual report make. */
  readonly revisionId: string;
}

export interface RegisteredUpload {
  readonly slotId: string;
  readonly assetId: string;
  /** The fence of the analysis that a registration starts. */
  readonly analysisId: string;
}

export interface AnalyzeCommand {
  readonly type: 'analyze';
  /** Empty: every failed slot. */
  readonly slotIds: readonly string[];
  /** A new fence for each slot that could be meant. */
  readonly attemptIds: Readonly<Record<SlotId, string>>;
}

export function registerImages(report: Report, { images, replace }: RegisterCommand, now: Date): readonly ReportEvent[] | Refusal {
  const checked = checkSlots(
    report.identity.template,
    images.map((image) => image.slotId),
    'images',
  );
  if (isRefusal(checked)) return checked;
  const events: ReportEvent[] = [];
  for (const [index, id] of checked.slotIds.entries()) {
    const { assetId, analysisId } = images[index]!;
    const state = slotState(report, id);
    if (holdsAsset(state, assetId)) continue;
    if (givesUpSuccess(state) && !replace) return refuse('slot_already_succeeded', `images[${index}].slot`);
    const asset: SlotAsset = { assetId, source: { kind: 'atrace_upload' } };
    const replacesSuccess = givesUpSuccess(state);
    events.push({ type: 'analysisRequested', slotId: id, asset, analysisId, replacesSuccess, at: now.toISOString() });
  }
  return events;
}

/**
 * A result is given up only on purpose: by replace=true for a slot that succeeded, and again while its replacement is being measured.
 * A first image that is still pending, or a failed one, is simply superseded by the newer photograph.
 */
const givesUpSuccess = (state: SlotState): boolean =>
  state.phase === 'succeeded' || ((state.phase === 'fetching' || state.phase === 'analyzing') && state.replacesSuccess);

export function analyzeAgain(report: Report, { slotIds, attemptIds }: AnalyzeCommand, now: Date): readonly ReportEvent[] | Refusal {
  // What was entered by hand is no engine's to measure.
  if (report.identity.creation.mode === 'manual') return slotIds.length === 0 ? [] : refuse('validation_error', 'slots[0].slot');
  const checked = slotIds.length === 0 ? { slotIds: failedSlots(report) } : checkSlots(report.identity.template, slotIds, 'slots');
  if (isRefusal(checked)) return checked;
  const events: ReportEvent[] = [];
  for (const [index, id] of checked.slotIds.entries()) {
    const state = slotState(report, id);
    if (state.phase === 'fetching' || state.phase === 'analyzing') continue;
    if (!hasPhotograph(state)) return refuse('validation_error', `slots[${index}].slot`);
    const { asset } = state;
    const attempt = { slotId: id, asset, analysisId: attemptIds[id], replacesSuccess: state.phase === 'succeeded', at: now.toISOString() };
    events.push({ type: mustBeFetched(state) ? 'fetchRequested' : 'analysisRequested', ...attempt });
  }
  return events;
}

type Ended = Extract<SlotState, { phase: 'succeeded' | 'failed' }>;

/** Uploads of a report that was taken over lie in no store of ours. */
const hasPhotograph = (state: Exclude<SlotState, { phase: 'fetching' | 'analyzing' }>): state is Ended & { asset: SlotAsset } =>
  state.phase !== 'empty' && state.asset !== null && !(isTakenOver(state) && state.asset.source.kind === 'atrace_upload');

const isTakenOver = ({ analysis }: Ended): boolean => analysis.provenance === 'legacy_projection';

/** Without a place in the request to point to, a failed slot whose photograph is not kept here is left as it is. */
const failedSlots = (report: Report): SlotId[] =>
  report.slots.flatMap(({ slotId, state }) => (state.phase === 'failed' && hasPhotograph(state) ? [slotId] : []));

/** A failure may have been the fetch itself; assets answers at once where it has the bytes. */
const mustBeFetched = (state: Ended & { asset: SlotAsset }): boolean =>
  state.asset.source.kind === 'partner_url' && (state.phase === 'failed' || isTakenOver(state));
