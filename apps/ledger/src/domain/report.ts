import { assertNever, type SlotId } from '@tire/kernel';
import type { Analysis, Report as ReportDocument, Template } from '@tire/contracts';
import type { ReportSlotRecord, SlotAsset, SlotState } from './slot';

/** What is fixed at creation and never changes. */
export interface ReportIdentity {
  readonly reportId: string;
  readonly projectId: string;
  readonly projectMode: ProjectMode;
  /** How photographs come: addresses that the partner submitted, or uploads to addresses that the service issued. */
  readonly intake: 'partner_url' | 'upload';
  readonly creation: ReportDocument['creation'];
  readonly template: Template;
  readonly contentProfile: ContentProfile;
  readonly generator: GeneratorVersions;
  readonly plateNumber: string | null;
  readonly externalInspectionId: string | null;
  readonly externalVehicleId: string | null;
  readonly callbackUrl: string | null;
  readonly metadata: ReportDocument['client_context']['metadata'];
  /** Minted at creation. Publication may replace it by another: `publication.link` has the one that is valid. */
  readonly shareToken: string;
  readonly createdAt: string;
  /** Taken over from before versioned content existed: it has no content and no page. */
  readonly legacy: boolean;
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

/** The analysis of every registered slot has ended, one way or another. */
export type EndedStatus = 'complete' | 'partial' | 'failed';

export interface AnalysisRevision {
  readonly revisionId: string;
  readonly status: EndedStatus;
  readonly completedAt: string;
}

/** What the content context said last; it counts only while `analysisRevision` is still the report's. */
export interface ContentProjection {
  readonly analysisRevision: string;
  readonly outcome:
    | { readonly kind: 'ready'; readonly contentRevision: string; readonly etag: string }
    | { readonly kind: 'failed'; readonly errorCode: string };
}

/** What the share context said last. Version 0: nothing yet. */
export interface PublicationProjection {
  readonly version: number;
  readonly status: ReportDocument['publication_status'];
  readonly publishedAt: string | null;
  /** The analysis revision that was judged last. */
  readonly analysisRevision: string | null;
  /** The share link that is valid. */
  readonly link: { readonly token: string; readonly expiresAt: string | null } | null;
}

export interface Report {
  readonly identity: ReportIdentity;
  readonly slots: readonly ReportSlotRecord[];
  readonly revision: AnalysisRevision | null;
  readonly content: ContentProjection | null;
  readonly publication: PublicationProjection;
  readonly updatedAt: string;
}

/**
 * A report that is closed is served to nobody. What others hold of it is removed first; then a discarded one forgets all but
 * that it was there (`cleared`), and a purged one is gone.
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
  | { readonly type: 'slotEnded'; readonly slotId: SlotId; readonly analysis: Analysis; readonly model: string | null; readonly at: string }
  | { readonly type: 'photographAttached'; readonly slotId: SlotId; readonly asset: SlotAsset; readonly at: string }
  | { readonly type: 'analysisEnded'; readonly revision: AnalysisRevision; readonly at: string }
  | { readonly type: 'contentNoted'; readonly content: ContentProjection; readonly at: string }
  | { readonly type: 'publicationNoted'; readonly publication: PublicationProjection; readonly at: string };

type LifecycleEvent =
  | { readonly type: 'reportCreated'; readonly identity: ReportIdentity; readonly slots: readonly ReportSlotRecord[]; readonly at: string }
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
    default:
      if (state.lifecycle !== 'open') throw new Error(`${event.type} after the report was closed`);
      return { lifecycle: 'open', report: { ...evolveOpen(report, event), updatedAt: event.at } };
  }
}

const newReport = ({ identity, slots, at }: Extract<ReportEvent, { type: 'reportCreated' }>): Report => ({
  identity,
  slots,
  revision: null,
  content: null,
  publication: {
    version: 0,
    status: 'unpublished',
    publishedAt: null,
    analysisRevision: null,
    link: { token: identity.shareToken, expiresAt: null },
  },
  updatedAt: at,
});

function evolveOpen(report: Report, event: ChangeEvent): Report {
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
      const phase = event.analysis.status === 'success' ? 'succeeded' : 'failed';
      return withSlot(report, event.slotId, { phase, asset: current.asset, analysis: event.analysis, model: event.model });
    }
    case 'photographAttached': {
      const current = slotState(report, event.slotId);
      if (current.phase !== 'succeeded') throw new Error(`photographAttached on ${event.slotId}, which holds no result`);
      return withSlot(report, event.slotId, { ...current, asset: event.asset });
    }
    case 'analysisEnded':
      return { ...report, revision: event.revision };
    case 'contentNoted':
      return { ...report, content: event.content };
    case 'publicationNoted':
      return { ...report, publication: event.publication };
    default:
      return assertNever(event);
  }
}

export function slotState(report: Report, id: string): SlotState {
  const slot = report.slots.find(({ slotId }) => slotId === id);
  if (!slot) throw new Error(`The report has no slot ${id}`);
  return slot.state;
}

/** Slots that did not change keep their identity: the store writes those that did. */
const withSlot = (report: Report, id: SlotId, state: SlotState): Report => ({
  ...report,
  slots: report.slots.map((slot) => (slot.slotId === id ? { slotId: id, state } : slot)),
});
