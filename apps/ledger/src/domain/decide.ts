import { assertNever, idAfter, slotId, type AnalysisErrorCode, type Slot, type SlotId } from '@tire/kernel';
import { failedAnalysis } from './analysis';
import { decideCapture, type CaptureCommand, type CaptureLink } from './capture';
import { setGauge, type SetGaugeCommand } from './gauge';
import { isRefusal, refuse, type Refusal } from './refusal';
import { judgeMutation } from './mutability';
import { knownAddress, sandboxEffects } from './sandbox';
import { analyzeAgain, registerImages, type AnalyzeCommand, type RegisterCommand } from './measuring';
import { attachImages } from './manual';
import { recordContent, recordPublication, recordRestored } from './noted';
import { endImages, erase, holdOf, isHeld, purge, releaseHold } from './removal';
import { evolve, type ContentProjection, type Report, type ReportEvent, type ReportIdentity } from './report';
import type { ReportState } from './report';
import { endedState, holdsAsset, type AnalysisRecord, type ReportSlotRecord, type Size, type SlotAsset } from './slot';
import { confirmedSize, type ConfirmSizeCommand } from './size-guess';
import { analysisStatus, isEnded } from './status';
import type { NotedPublication } from './share-link';
import { slotsOf } from './templates';

export interface SubmittedImage {
  readonly slotId: SlotId;
  readonly asset: SlotAsset;
  readonly analysisId: string;
}

/** Ids that a decision may need come with the command, so that `decide` stays pure. */
export type ReportCommand =
  | {
      readonly type: 'create';
      readonly identity: ReportIdentity;
      readonly images: readonly SubmittedImage[];
      /** With a capture link. */
      readonly capture?: CaptureLink | undefined;
      /** Only for a manual report. */
      readonly entered?: { readonly analyses: readonly AnalysisRecord[]; readonly revisionId: string };
    }
  | {
      readonly type: 'importLegacy';
      readonly identity: ReportIdentity;
      readonly slots: readonly ReportSlotRecord[];
      readonly analyses: readonly AnalysisRecord[];
      readonly completedAt: string;
      readonly revisionId: string;
    }
  | RegisterCommand
  | AnalyzeCommand
  | {
      readonly type: 'recordFetch';
      readonly slotId: string;
      readonly assetId: string;
      readonly analysisId: string;
      readonly errorCode: AnalysisErrorCode | null;
      readonly sha256?: string;
      readonly revisionId: string;
    }
  | {
      readonly type: 'recordAnalysis';
      readonly analysis: AnalysisRecord;
      /** Of an image whose size was not read. */
      readonly guess?: Size | null;
      readonly imageHash?: string;
      readonly revisionId: string;
    }
  | ConfirmSizeCommand
  | SetGaugeCommand
  | CaptureCommand
  | { readonly type: 'recordContent'; readonly content: ContentProjection }
  | { readonly type: 'recordPublication'; readonly publication: NotedPublication }
  /** What content and share have after a restore. They may have lost what they announced, so versions do not decide. */
  | { readonly type: 'recordRestored'; readonly contentLost: boolean; readonly publication: NotedPublication | null }
  | { readonly type: 'discard' }
  | { readonly type: 'hold'; readonly by: string; readonly reason: string }
  | { readonly type: 'releaseHold' }
  /** The time of these photographs is over. */
  | { readonly type: 'endImages'; readonly assetIds: readonly string[] }
  /** The time of the report is over. */
  | { readonly type: 'purge' }
  /** A member requested the erasure of what is kept about a person or a vehicle. */
  | { readonly type: 'erase' }
  /** No other service has data of the closed report any more. */
  | { readonly type: 'finishRemoval' };

export type Decision = readonly ReportEvent[] | Refusal;

type CommandOf<T extends ReportCommand['type']> = Extract<ReportCommand, { type: T }>;

/** Neither events nor a refusal: the command is a repetition, or came too late. */
const NOTHING: Decision = [];

export function decide(state: ReportState, command: ReportCommand, now: Date): Decision {
  switch (state.lifecycle) {
    case 'absent':
      return decideAbsent(command, now);
    case 'open':
      return decideOpen(state.report, command, now);
    case 'discarded':
    case 'purging':
      return decideClosed(state, command, now);
    default:
      return assertNever(state);
  }
}

function decideAbsent(command: ReportCommand, now: Date): Decision {
  if (command.type === 'create') return create(command, now);
  if (command.type === 'importLegacy') return importLegacy(command);
  // Another process has purged it already.
  if (command.type === 'purge' || command.type === 'erase' || command.type === 'finishRemoval') return NOTHING;
  return refuse('not_found');
}

function decideOpen(report: Report, command: ReportCommand, now: Date): Decision {
  switch (command.type) {
    case 'create':
      return refuse('idempotency_conflict');
    case 'importLegacy':
      return NOTHING;
    case 'registerImages':
      return report.identity.creation.mode === 'manual' ? attachImages(report, command, now) : registerImages(report, command, now);
    case 'analyze':
      return analyzeAgain(report, command, now);
    case 'recordFetch':
      return recordFetch(report, command, now);
    case 'recordAnalysis':
      return recordAnalysis(report, command, now);
    case 'confirmSize':
      return confirmSize(report, command, now);
    case 'setGauge':
      return applyGauge(report, command, now);
    case 'issueCapture':
    case 'revokeCapture':
    case 'openCapture':
    case 'finishCapture':
      return decideCapture(report, command, now);
    case 'recordContent':
      return recordContent(report, command, now);
    case 'recordPublication':
      return recordPublication(report, command, now);
    case 'recordRestored':
      return recordRestored(report, command, now);
    case 'discard':
      return [{ type: 'reportDiscarded', at: now.toISOString() }];
    case 'hold':
      return [{ type: 'holdChanged', hold: holdOf(command, now), at: now.toISOString() }];
    case 'releaseHold':
      return releaseHold(report, now);
    case 'endImages':
      return endImages(report, command, now);
    case 'purge':
      return purge(report, now);
    case 'erase':
      return erase(report, now);
    case 'finishRemoval':
      return NOTHING;
    default:
      return assertNever(command);
  }
}

/** Facts about a closed report are ignored. Commands that would change it are refused. */
function decideClosed(state: Extract<ReportState, { lifecycle: 'discarded' | 'purging' }>, command: ReportCommand, now: Date): Decision {
  const at = now.toISOString();
  switch (command.type) {
    case 'create':
    case 'registerImages':
    case 'analyze':
    case 'confirmSize':
    case 'setGauge':
    case 'issueCapture':
    case 'revokeCapture':
    case 'finishCapture':
    case 'hold':
      return judgeMutation(state) ?? NOTHING;
    case 'importLegacy':
    case 'openCapture':
    case 'recordFetch':
    case 'recordAnalysis':
    case 'recordContent':
    case 'recordPublication':
    case 'endImages':
    case 'recordRestored':
      return NOTHING;
    case 'releaseHold':
      return releaseHold(state.report, now);
    case 'discard':
      return state.lifecycle === 'purging' ? refuse('report_purge_pending') : NOTHING;
    case 'purge':
      return state.lifecycle === 'purging' ? NOTHING : purge(state.report, now);
    case 'erase':
      return state.lifecycle === 'purging' ? NOTHING : erase(state.report, now);
    case 'finishRemoval':
      if (state.lifecycle === 'purging') return [{ type: 'reportPurged', at }];
      return state.cleared || isHeld(state.report) ? NOTHING : [{ type: 'reportCleared', at }];
    default:
      return assertNever(command);
  }
}

function create({ identity, images, capture, entered }: CommandOf<'create'>, now: Date): Decision {
  const at = now.toISOString();
  if (entered) return createEntered(identity, entered, at);
  const slots = slotsOf(identity.template).map((slot): ReportSlotRecord => initialSlot(slot, images));
  return [{ type: 'reportCreated', identity, slots, analyses: [], capture, at }];
}

/** A manual report is measured when it is created: the first revision is frozen at once. */
function createEntered(
  identity: ReportIdentity,
  { analyses, revisionId }: NonNullable<CommandOf<'create'>['entered']>,
  at: string,
): Decision {
  const slots = slotsOf(identity.template).map((slot): ReportSlotRecord => {
    const id = slotId(slot);
    const analysis = analyses.find((candidate) => candidate.slotId === id);
    return { slotId: id, state: analysis ? endedState(null, analysis) : { phase: 'empty' } };
  });
  const created: ReportEvent = { type: 'reportCreated', identity, slots, analyses, at };
  const status = analysisStatus({ identity, slots });
  return isEnded(status) ? [created, { type: 'analysisEnded', revision: { revisionId, status, completedAt: at }, at }] : [created];
}

function initialSlot(slot: Slot, images: readonly SubmittedImage[]): ReportSlotRecord {
  const id = slotId(slot);
  const image = images.find((candidate) => candidate.slotId === id);
  if (!image) return { slotId: id, state: { phase: 'empty' } };
  const { asset, analysisId } = image;
  return { slotId: id, state: { phase: 'fetching', asset, analysisId, replacesSuccess: false } };
}

/** The imported measurements become a revision like any other. */
function importLegacy({ identity, slots, analyses, completedAt, revisionId }: CommandOf<'importLegacy'>): Decision {
  const created: ReportEvent = { type: 'reportCreated', identity, slots, analyses, at: completedAt };
  const status = analysisStatus({ identity, slots });
  return isEnded(status) ? [created, { type: 'analysisEnded', revision: { revisionId, status, completedAt }, at: completedAt }] : [created];
}

function recordFetch(report: Report, command: CommandOf<'recordFetch'>, now: Date): Decision {
  const slot = report.slots.find(({ slotId: id }) => id === command.slotId);
  if (slot?.state.phase !== 'fetching' || slot.state.analysisId !== command.analysisId || !holdsAsset(slot.state, command.assetId)) {
    return NOTHING;
  }
  const at = now.toISOString();
  if (command.errorCode) {
    const known = knownAddress(report.identity, slot.state.asset);
    const analysis = failedAnalysis(slot.slotId, command.analysisId, command.errorCode, at, known);
    return endSlot(report, { type: 'slotEnded', slotId: slot.slotId, analysis, at }, command.revisionId);
  }
  const { analysisId, replacesSuccess } = slot.state;
  const asset = command.sha256 ? { ...slot.state.asset, sha256: command.sha256 } : slot.state.asset;
  return [{ type: 'analysisRequested', slotId: slot.slotId, asset, analysisId, replacesSuccess, at }];
}

function recordAnalysis(
  report: Report,
  { analysis, guess: size, imageHash, revisionId }: CommandOf<'recordAnalysis'>,
  now: Date,
): Decision {
  const slot = report.slots.find(({ slotId: id }) => id === analysis.slotId);
  if (slot?.state.phase !== 'analyzing' || slot.state.analysisId !== analysis.analysisId) return NOTHING;
  // Without its hash, an image cannot be told from a copy of it.
  const guess = size && imageHash ? { size, image: { sha256: slot.state.asset.sha256 ?? null, hash: imageHash } } : undefined;
  const ended = guess ? { ...analysis, guess } : analysis;
  return endSlot(report, { type: 'slotEnded', slotId: slot.slotId, analysis: ended, imageHash, at: now.toISOString() }, revisionId);
}

function confirmSize(report: Report, command: CommandOf<'confirmSize'>, now: Date): Decision {
  const confirmed = confirmedSize(report, command, now);
  return isRefusal(confirmed) ? confirmed : endSlot(report, confirmed, command.revisionId);
}

function applyGauge(report: Report, command: CommandOf<'setGauge'>, now: Date): Decision {
  const changed = setGauge(report, command, now);
  if (changed === null) return NOTHING;
  return isRefusal(changed) ? changed : endSlot(report, changed, command.revisionId);
}

/** The last slot that ends freezes a revision, unless more images are expected. Other services order revisions by id, so the id is always later. */
function endSlot(report: Report, ended: ReportEvent, revisionId: string): Decision {
  const after = evolve({ lifecycle: 'open', report }, ended);
  if (after.lifecycle !== 'open') return [ended];
  const status = analysisStatus(after.report);
  if (!isEnded(status)) return [ended];
  const revision = { revisionId: report.revision ? idAfter(report.revision.revisionId, revisionId) : revisionId, status };
  const sandbox = sandboxEffects(after.report.slots);
  return [ended, { type: 'analysisEnded', revision: { ...revision, completedAt: ended.at }, ...(sandbox && { sandbox }), at: ended.at }];
}
