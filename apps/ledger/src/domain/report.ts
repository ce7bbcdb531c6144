import { assertNever, type SlotId, type Verdict } from '@tire/kernel';
import type { CaptureLink } from './capture';
import type { Report as ReportDocument, Template } from '@tire/contracts/api';
import type { SandboxEffects } from '@tire/contracts/events';
import { endedState, type AnalysisRecord, type ReportSlotRecord, type SlotAsset, type SlotState } from './slot';

/** The fields that are set at creation and never change. */
export interface ReportIdentity {
  readonly reportId: string;
  readonly projectId: string;
  readonly projectMode: ProjectMode;
  /** How images arrive: from URLs that the partner submitted, or by upload to addresses that the service issued. */
  readonly intake: 'partner_url' | 'upload';
  readonly creation: ReportDocument['creation'];
  readonly template: Template;
  readonly contentProfile: ContentProfile;
  readonly generator: GeneratorVersions;
  readonly plateNumber: string | null;
  readonly externalInspectionId: string | null;
  readonly externalVehicleId: string | null;
  /** In capital letters. */
  readonly vin: string | null;
  readonly mileageKm: number | null;
  /** The branch of the project that made the inspection. */
  readonly branchId: string | null;
  readonly callbackUrl: string | null;
  /** A JSON object of the caller. It is only ever returned, so it stays text. */
  readonly metadataJson: string;
  /** Created with the report. Publication may replace it: `publication.link` has the valid token. */
  readonly shareToken: ShareToken;
  readonly createdAt: string;
  /** Imported from before versioned content existed: it has no content and no page. */
  readonly legacy: boolean;
}

/** A token of a share page as the ledger keeps it. */
export interface ShareToken {
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  /** The token, sealed for its report. */
  readonly sealed: Buffer;
}

export type ProjectMode = 'test' | 'live';

export interface ContentProfile {
  readonly key: string;
  readonly version: string;
  readonly locale: string;
}

export interface GeneratorVersions {
  readonly rulesetVersion: string;
  readonly copyVersion: string;
  readonly projectionVersion: string;
}

/** The analysis of every registered slot has ended, with success or failure. */
export type EndedStatus = 'complete' | 'partial' | 'failed';

export interface AnalysisRevision {
  readonly revisionId: string;
  readonly status: EndedStatus;
  readonly completedAt: string;
}

/** The latest state that the content service announced. It is valid only while the report still has this `analysisRevision`. */
export interface ContentProjection {
  readonly analysisRevision: string;
  readonly outcome:
    /** The verdict is null until content has announced it: earlier releases did not. */
    | { readonly kind: 'ready'; readonly contentRevision: string; readonly etag: string; readonly verdict: Verdict | null }
    | { readonly kind: 'failed'; readonly errorCode: string };
}

/** Why a report must stay, whatever else would remove it. */
export interface LegalHold {
  readonly at: string;
  /** The actor: user:ID. */
  readonly by: string;
  readonly reason: string;
}

/** The latest state that the share service announced. Version 0 means none yet. */
export interface PublicationProjection {
  readonly version: number;
  readonly status: ReportDocument['publication_status'];
  readonly publishedAt: string | null;
  /** The analysis revision that the share service decided about last. */
  readonly analysisRevision: string | null;
  /** The latest end of a capture that the share service has noted. */
  readonly captureFinishedAt: string | null;
  /** The share link that is valid. */
  readonly link: { readonly token: ShareToken; readonly expiresAt: string | null } | null;
}

export interface Report {
  readonly identity: ReportIdentity;
  readonly slots: readonly ReportSlotRecord[];
  readonly revision: AnalysisRevision | null;
  readonly content: ContentProjection | null;
  readonly publication: PublicationProjection;
  /** The newest capture link. An earlier one opens nothing. */
  readonly capture: CaptureLink | null;
  readonly hold: LegalHold | null;
  readonly updatedAt: string;
}

/**
 * A closed report is never served. The other services remove their data first. Then a discarded report is reduced to the fact that it existed
 * (`cleared`), and a purged one is deleted.
 */
export type ReportState =
  | { readonly lifecycle: 'absent' }
  | { readonly lifecycle: 'open'; readonly report: Report }
  | { readonly lifecycle: 'discarded'; readonly report: Report; readonly discardedAt: string; readonly cleared: boolean }
  | { readonly lifecycle: 'purging'; readonly report: Report };

export const initialState: ReportState = { lifecycle: 'absent' };

interface AttemptFields {
  readonly slotId: SlotId;
  readonly asset: SlotAsset;
  readonly analysisId: string;
  readonly replacesSuccess: boolean;
  readonly at: string;
}

type ChangeEvent =
  | ({ readonly type: 'fetchRequested' } & AttemptFields)
  | ({ readonly type: 'analysisRequested' } & AttemptFields)
  | {
      readonly type: 'slotEnded';
      readonly slotId: SlotId;
      readonly analysis: AnalysisRecord;
      /** The perceptual hash of the image that was measured. */
      readonly imageHash?: string;
      readonly at: string;
    }
  | { readonly type: 'sizeConfirmed'; readonly slotId: SlotId; readonly analysis: AnalysisRecord; readonly at: string }
  | {
      readonly type: 'gaugeSet';
      readonly slotId: SlotId;
      readonly analysis: AnalysisRecord;
      readonly change: 'entered' | 'withdrawn';
      readonly at: string;
    }
  /** Null: the hold has ended. */
  | { readonly type: 'holdChanged'; readonly hold: LegalHold | null; readonly at: string }
  | { readonly type: 'imagesEnded'; readonly slotIds: readonly SlotId[]; readonly at: string }
  | { readonly type: 'imageAttached'; readonly slotId: SlotId; readonly asset: SlotAsset; readonly at: string }
  | { readonly type: 'analysisEnded'; readonly revision: AnalysisRevision; readonly sandbox?: SandboxEffects; readonly at: string }
  | { readonly type: 'contentNoted'; readonly content: ContentProjection; readonly at: string }
  /** The verdict of content that was noted without it. */
  | { readonly type: 'verdictNoted'; readonly content: ContentProjection; readonly at: string }
  | { readonly type: 'publicationNoted'; readonly publication: PublicationProjection; readonly at: string }
  | {
      readonly type: 'captureChanged';
      readonly change: 'issued' | 'opened' | 'finished' | 'revoked';
      readonly capture: CaptureLink;
      readonly at: string;
    };

type LifecycleEvent =
  | {
      readonly type: 'reportCreated';
      readonly identity: ReportIdentity;
      readonly slots: readonly ReportSlotRecord[];
      /** A manual report and an imported one begin with ended slots. */
      readonly analyses: readonly AnalysisRecord[];
      readonly capture?: CaptureLink | undefined;
      readonly at: string;
    }
  | { readonly type: 'reportDiscarded'; readonly at: string }
  | { readonly type: 'purgeStarted'; readonly at: string }
  | { readonly type: 'reportCleared'; readonly at: string }
  | { readonly type: 'reportPurged'; readonly at: string };

export type ReportEvent = LifecycleEvent | ChangeEvent;

export function evolve(state: ReportState, event: ReportEvent): ReportState {
  if (event.type === 'reportCreated') return { lifecycle: 'open', report: newReport(event) };
  if (state.lifecycle === 'absent') throw new Error(`${event.type} before reportCreated`);
  const { report } = state;
  switch (event.type) {
    case 'reportDiscarded':
      return { lifecycle: 'discarded', report, discardedAt: event.at, cleared: false };
    case 'purgeStarted':
      return { lifecycle: 'purging', report };
    case 'reportCleared':
      if (state.lifecycle !== 'discarded') throw new Error('Only a discarded report is cleared');
      return { ...state, report: { ...report, slots: [], revision: null, content: null }, cleared: true };
    case 'reportPurged':
      return initialState;
    case 'holdChanged':
      return { ...state, report: { ...report, hold: event.hold } };
    default:
      if (state.lifecycle !== 'open') throw new Error(`${event.type} after the report was closed`);
      return { lifecycle: 'open', report: { ...evolveOpen(report, event), updatedAt: changes(event) ? event.at : report.updatedAt } };
  }
}

/** The document of the report has neither the verdict nor whether the bytes of an image are still kept. */
const changes = ({ type }: ReportEvent): boolean => type !== 'verdictNoted' && type !== 'imagesEnded';

const newReport = ({ identity, slots, capture, at }: Extract<ReportEvent, { type: 'reportCreated' }>): Report => ({
  identity,
  slots,
  revision: null,
  content: null,
  publication: {
    version: 0,
    status: 'unpublished',
    publishedAt: null,
    analysisRevision: null,
    captureFinishedAt: null,
    link: { token: identity.shareToken, expiresAt: null },
  },
  capture: capture ?? null,
  hold: null,
  updatedAt: at,
});

function evolveOpen(report: Report, event: Exclude<ChangeEvent, { type: 'holdChanged' }>): Report {
  switch (event.type) {
    case 'fetchRequested': {
      const { asset, analysisId, replacesSuccess } = event;
      return withSlot(report, event.slotId, { phase: 'fetching', asset, analysisId, replacesSuccess });
    }
    case 'analysisRequested': {
      const { asset, analysisId, replacesSuccess } = event;
      return withSlot(report, event.slotId, { phase: 'analyzing', asset, analysisId, replacesSuccess });
    }
    case 'slotEnded': {
      const current = slotState(report, event.slotId);
      if (current.phase === 'empty') throw new Error(`slotEnded on the empty slot ${event.slotId}`);
      const { asset } = current;
      return withSlot(
        report,
        event.slotId,
        endedState(asset && event.imageHash ? { ...asset, hash: event.imageHash } : asset, event.analysis),
      );
    }
    case 'sizeConfirmed':
    case 'gaugeSet': {
      const current = slotState(report, event.slotId);
      if (current.phase !== 'succeeded') throw new Error(`${event.type} on ${event.slotId}, which holds no result`);
      return withSlot(report, event.slotId, endedState(current.asset, event.analysis));
    }
    case 'imageAttached': {
      const current = slotState(report, event.slotId);
      if (current.phase !== 'succeeded') throw new Error(`imageAttached on ${event.slotId}, which holds no result`);
      return withSlot(report, event.slotId, { ...current, asset: event.asset });
    }
    case 'imagesEnded':
      return event.slotIds.reduce((after, id) => withEndedImage(after, id), report);
    case 'analysisEnded':
      return { ...report, revision: event.revision };
    case 'contentNoted':
    case 'verdictNoted':
      return { ...report, content: event.content };
    case 'publicationNoted':
      return { ...report, publication: event.publication };
    case 'captureChanged':
      return { ...report, capture: event.capture };
    default:
      return assertNever(event);
  }
}

export function slotState(report: Report, id: string): SlotState {
  const slot = report.slots.find(({ slotId }) => slotId === id);
  if (!slot) throw new Error(`The report has no slot ${id}`);
  return slot.state;
}

function withEndedImage(report: Report, id: SlotId): Report {
  const state = slotState(report, id);
  if (state.phase === 'empty' || state.asset === null) throw new Error(`imagesEnded on ${id}, which holds no image`);
  return withSlot(report, id, { ...state, asset: { ...state.asset, isEnded: true } });
}

/** Unchanged slots stay the same objects, so the store can write only the changed ones. */
const withSlot = (report: Report, id: SlotId, state: SlotState): Report => ({
  ...report,
  slots: report.slots.map((slot) => (slot.slotId === id ? { slotId: id, state } : slot)),
});
