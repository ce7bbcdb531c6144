import { assertNever, slotId, type AnalysisErrorCode, type Slot, type SlotId } from '@tire/kernel';
import { endedAnalysis } from './analysis';
import { isRefusal, refuse, type Refusal } from './refusal';
import { checkSlots } from './creation';
import {
  evolve,
  slotState,
  type ContentProjection,
  type PublicationProjection,
  type Report,
  type ReportEvent,
  type ReportIdentity,
  type ReportState,
} from './report';
import type { ReportSlotRecord, SlotAsset, SlotOutcome, SlotState } from './slot';
import { analysisStatus, isEnded } from './status';
import { slotsOf } from './templates';

export interface FetchedAsset {
  readonly slotId: SlotId;
  readonly asset: SlotAsset;
}

export interface RegisteredUpload {
  readonly slotId: string;
  readonly assetId: string;
  /** The fence of the analysis that a registration starts. */
  readonly analysisId: string;
}

/** Ids that an outcome may need come with the command, so that deciding stays pure. */
export type ReportCommand =
  | { readonly type: 'create'; readonly identity: ReportIdentity; readonly images: readonly FetchedAsset[] }
  | { readonly type: 'registerImages'; readonly images: readonly RegisteredUpload[]; readonly replace: boolean }
  | {
      readonly type: 'recordFetch';
      readonly slotId: string;
      readonly assetId: string;
      readonly errorCode: AnalysisErrorCode | null;
      readonly analysisId: string;
      readonly revisionId: string;
    }
  | {
      readonly type: 'recordAnalysis';
      readonly slotId: string;
      readonly analysisId: string;
      readonly outcome: SlotOutcome;
      readonly model: string;
      readonly completedAt: string;
      readonly revisionId: string;
    }
  | { readonly type: 'recordContent'; readonly content: ContentProjection }
  | { readonly type: 'recordPublication'; readonly publication: PublicationProjection };

export type Decision = readonly ReportEvent[] | Refusal;

type CommandOf<T extends ReportCommand['type']> = Extract<ReportCommand, { type: T }>;

/** No events and no refusal: the command was seen before, or came too late to matter. */
const NOTHING: Decision = [];

export function decide(state: ReportState, command: ReportCommand, now: Date): Decision {
  switch (state.lifecycle) {
    case 'absent':
      return command.type === 'create' ? create(command, now) : refuse('not_found');
    case 'open':
      return decideOpen(state.report, command, now);
    default:
      return assertNever(state);
  }
}

function decideOpen(report: Report, command: ReportCommand, now: Date): Decision {
  switch (command.type) {
    case 'create':
      return refuse('idempotency_conflict');
    case 'registerImages':
      return registerImages(report, command, now);
    case 'recordFetch':
      return recordFetch(report, command, now);
    case 'recordAnalysis':
      return recordAnalysis(report, command, now);
    case 'recordContent':
      return recordContent(report, command, now);
    case 'recordPublication':
      return recordPublication(report, command, now);
    default:
      return assertNever(command);
  }
}

function create({ identity, images }: CommandOf<'create'>, now: Date): Decision {
  const slots = slotsOf(identity.template).map((slot): ReportSlotRecord => initialSlot(slot, images));
  return [{ type: 'reportCreated', identity, slots, at: now.toISOString() }];
}

function initialSlot(slot: Slot, images: readonly FetchedAsset[]): ReportSlotRecord {
  const id = slotId(slot);
  const image = images.find((candidate) => candidate.slotId === id);
  return { slotId: id, state: image ? { phase: 'fetching', asset: image.asset } : { phase: 'empty' } };
}

function registerImages(report: Report, { images, replace }: CommandOf<'registerImages'>, now: Date): Decision {
  const checked = checkSlots(
    report.identity.template,
    images.map((image) => image.slotId),
  );
  if (isRefusal(checked)) return checked;
  const events: ReportEvent[] = [];
  for (const [index, id] of checked.slotIds.entries()) {
    const { assetId, analysisId } = images[index]!;
    const state = slotState(report, id);
    if (holdsAsset(state, assetId)) continue;
    if (givesUpSuccess(state) && !replace) return refuse('slot_already_succeeded', `images[${index}].slot`);
    const asset: SlotAsset = { assetId, source: { kind: 'atrace_upload' } };
    events.push({
      type: 'analysisRequested',
      slotId: id,
      asset,
      analysisId,
      replacesSuccess: givesUpSuccess(state),
      at: now.toISOString(),
    });
  }
  return events;
}

export const holdsAsset = (state: SlotState, assetId: string): boolean => state.phase !== 'empty' && state.asset.assetId === assetId;

/**
 * A result is given up only on purpose: by replace=true for a slot that succeeded, and again while its replacement is being measured.
 * A first image that is still pending, or a failed one, is simply superseded by the newer photograph.
 */
const givesUpSuccess = (state: SlotState): boolean => state.phase === 'succeeded' || (state.phase === 'analyzing' && state.replacesSuccess);

function recordFetch(report: Report, command: CommandOf<'recordFetch'>, now: Date): Decision {
  const slot = report.slots.find(({ slotId: id }) => id === command.slotId);
  if (slot?.state.phase !== 'fetching' || !holdsAsset(slot.state, command.assetId)) return NOTHING;
  const at = now.toISOString();
  if (command.errorCode) {
    const analysis = endedAnalysis(slot.slotId, { kind: 'failed', errorCode: command.errorCode }, at);
    return endSlot(report, { type: 'slotEnded', slotId: slot.slotId, analysis, model: null, at }, command.revisionId);
  }
  const { asset } = slot.state;
  return [{ type: 'analysisRequested', slotId: slot.slotId, asset, analysisId: command.analysisId, replacesSuccess: false, at }];
}

function recordAnalysis(report: Report, command: CommandOf<'recordAnalysis'>, now: Date): Decision {
  const slot = report.slots.find(({ slotId: id }) => id === command.slotId);
  if (slot?.state.phase !== 'analyzing' || slot.state.analysisId !== command.analysisId) return NOTHING;
  const completedAt = notAfter(now, command.completedAt);
  const analysis = endedAnalysis(slot.slotId, command.outcome, completedAt);
  const { model } = command;
  return endSlot(report, { type: 'slotEnded', slotId: slot.slotId, analysis, model, at: now.toISOString() }, command.revisionId);
}

/** A worker whose clock runs ahead must not end a slot after its report. */
function notAfter(now: Date, reported: string): string {
  const reportedMs = Date.parse(reported);
  return new Date(Number.isNaN(reportedMs) ? now.getTime() : Math.min(now.getTime(), reportedMs)).toISOString();
}

/** The last slot to end freezes a revision, unless more images are expected. */
function endSlot(report: Report, ended: ReportEvent, revisionId: string): Decision {
  const after = evolve({ lifecycle: 'open', report }, ended);
  if (after.lifecycle === 'absent') return [ended];
  const status = analysisStatus(after.report);
  if (!isEnded(status)) return [ended];
  const revision = { revisionId, status, completedAt: ended.at, publicationVersion: report.publication.version };
  return [ended, { type: 'analysisEnded', revision, at: ended.at }];
}

function recordContent(report: Report, { content }: CommandOf<'recordContent'>, now: Date): Decision {
  if (content.analysisRevision !== report.revision?.revisionId) return NOTHING;
  if (sameContent(report.content, content)) return NOTHING;
  return [{ type: 'contentNoted', content, at: now.toISOString() }];
}

/** A content revision never changes, so the first word about an analysis revision stands; only a failure may still turn into content. */
const sameContent = (held: ContentProjection | null, said: ContentProjection): boolean =>
  held?.analysisRevision === said.analysisRevision && (held.outcome.kind === 'ready' || said.outcome.kind === 'failed');

function recordPublication(report: Report, { publication }: CommandOf<'recordPublication'>, now: Date): Decision {
  if (publication.version <= report.publication.version) return NOTHING;
  return [{ type: 'publicationNoted', publication, at: now.toISOString() }];
}
