import { type Fault, fault, type SlotId } from '@tire/kernel';
import { judgeCapture } from './capture';
import { checkSlots } from './creation';
import { isFaulty, isRefusal, refuse, refuseFaults, type Refusal } from './refusal';
import { slotState, type Report, type ReportEvent } from './report';
import { heldAsset, holdsAsset, type SlotAsset, type SlotState } from './slot';

/** The two commands that start measurements: registration of uploads, and re-analysis of images that are stored already. */

export interface RegisterCommand {
  readonly type: 'registerImages';
  readonly images: readonly RegisteredUpload[];
  readonly replace: boolean;
  /** Of the capture link with which the images come. */
  readonly captureDigest?: Buffer;
  /** The id of the revision that images of a manual report cause. */
  readonly revisionId: string;
}

export interface RegisteredUpload {
  readonly slotId: string;
  readonly assetId: string;
  readonly sha256?: string;
  /** The asset that the slot must hold; null: none. Absent: `replace` decides. */
  readonly replaces?: string | null;
  /** The fence of the analysis that a registration starts. */
  readonly analysisId: string;
}

export interface AnalyzeCommand {
  readonly type: 'analyze';
  /** Empty means every failed slot. */
  readonly slotIds: readonly string[];
  /** A new fence for each slot that the command may concern. */
  readonly attemptIds: Readonly<Record<SlotId, string>>;
}

export function registerImages(
  report: Report,
  { images, replace, captureDigest }: RegisterCommand,
  now: Date,
): readonly ReportEvent[] | Refusal {
  const refusal = judgeCapture(report, captureDigest, now);
  if (refusal) return refusal;
  const checked = checkSlots(
    report.identity.template,
    images.map((image) => image.slotId),
    'images',
  );
  if (isRefusal(checked)) return checked;
  const events: ReportEvent[] = [];
  for (const [index, id] of checked.slotIds.entries()) {
    const { assetId, sha256, replaces, analysisId } = images[index]!;
    const state = slotState(report, id);
    if (holdsAsset(state, assetId)) continue;
    const replacesSuccess = replacesSuccessOf(state);
    const mayReplace = replaces === undefined ? replace || !replacesSuccess : replaces === heldAsset(state);
    if (!mayReplace) return refuse('slot_already_succeeded', `images[${index}].slot`);
    const asset: SlotAsset = { assetId, source: { kind: 'atrace_upload' }, sha256 };
    events.push({ type: 'analysisRequested', slotId: id, asset, analysisId, replacesSuccess, at: now.toISOString() });
  }
  return events;
}

/**
 * replace=true is needed for a slot that succeeded, and again while its replacement is being measured. A newer image replaces a first image
 * that is pending or failed without it.
 */
const replacesSuccessOf = (state: SlotState): boolean =>
  state.phase === 'succeeded' || ((state.phase === 'fetching' || state.phase === 'analyzing') && state.replacesSuccess);

export function analyzeAgain(report: Report, { slotIds, attemptIds }: AnalyzeCommand, now: Date): readonly ReportEvent[] | Refusal {
  // No engine measures values that a person entered.
  if (report.identity.creation.mode === 'manual') {
    return slotIds.length === 0 ? [] : refuseFaults([fault('slots[0].slot', 'holds values that a person entered; they are not analyzed.')]);
  }
  const checked = slotIds.length === 0 ? { slotIds: failedSlots(report) } : checkSlots(report.identity.template, slotIds, 'slots');
  if (isRefusal(checked)) return checked;
  const events: ReportEvent[] = [];
  const faults: Fault[] = [];
  for (const [index, id] of checked.slotIds.entries()) {
    const state = slotState(report, id);
    if (state.phase === 'fetching' || state.phase === 'analyzing') continue;
    if (!hasImage(state)) {
      faults.push(fault(`slots[${index}].slot`, 'has no image to analyze; upload one and register it.'));
      continue;
    }
    const { asset } = state;
    const attempt = { slotId: id, asset, analysisId: attemptIds[id], replacesSuccess: state.phase === 'succeeded', at: now.toISOString() };
    events.push({ type: mustBeFetched(state) ? 'fetchRequested' : 'analysisRequested', ...attempt });
  }
  return isFaulty(faults) ? refuseFaults(faults) : events;
}

type Ended = Extract<SlotState, { phase: 'succeeded' | 'failed' }>;

/** Uploads of an imported report are not in our object store, and photographs whose time is over are not either. */
const hasImage = (state: Exclude<SlotState, { phase: 'fetching' | 'analyzing' }>): state is Ended & { asset: SlotAsset } =>
  state.phase !== 'empty' &&
  state.asset !== null &&
  !state.asset.isEnded &&
  !(isImported(state) && state.asset.source.kind === 'atrace_upload');

const isImported = ({ analysis }: Ended): boolean => analysis.provenance === 'legacy_projection';

/** A failed slot without a stored image stays as it is: the request does not name it, so an error could not point to it. */
const failedSlots = (report: Report): SlotId[] =>
  report.slots.flatMap(({ slotId, state }) => (state.phase === 'failed' && hasImage(state) ? [slotId] : []));

/** The fetch itself may have failed. When the bytes are stored, the assets service answers at once. */
const mustBeFetched = (state: Ended & { asset: SlotAsset }): boolean =>
  state.asset.source.kind === 'partner_url' && (state.phase === 'failed' || isImported(state));
