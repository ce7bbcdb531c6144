import { newId } from '@tire/kernel';
import type { ReportCommand } from './decide';
import type { GaugedAnalysis } from './gauge';
import type { ReportState } from './report';
import { FAILED, NOW, TREADS, attemptIds, finished, identityOf, tokenOf, type Outcome } from './report.fixture';
import type { NotedToken } from './share-link';
import type { SlotState } from './slot';

export const slot = TREADS[0]!;

export const stateOfSlot = (state: ReportState): SlotState =>
  (state.lifecycle === 'absent' ? undefined : state.report.slots.find(({ slotId }) => slotId === slot)?.state) ?? { phase: 'empty' };

export const currentAsset = (state: ReportState): string => {
  const held = stateOfSlot(state);
  return held.phase === 'empty' ? newId() : (held.asset?.assetId ?? newId());
};

export const currentAnalysis = (state: ReportState): string => {
  const held = stateOfSlot(state);
  return held.phase === 'analyzing' || held.phase === 'fetching' ? held.analysisId : newId();
};

const currentRevision = (state: ReportState): string =>
  (state.lifecycle === 'open' ? state.report.revision?.revisionId : undefined) ?? newId();

const registering = (assetId: string, replace: boolean): ReportCommand => ({
  type: 'registerImages',
  replace,
  images: [{ slotId: slot, assetId, analysisId: newId() }],
  revisionId: newId(),
});

export const fetching = (
  state: ReportState,
  errorCode: 'image_unreachable' | null,
  analysisId = currentAnalysis(state),
): ReportCommand => ({
  type: 'recordFetch',
  slotId: slot,
  assetId: currentAsset(state),
  errorCode,
  analysisId,
  revisionId: newId(),
});

export const analyzing = (...slotIds: string[]): ReportCommand => ({ type: 'analyze', slotIds, attemptIds: attemptIds() });

/** An event has the digest of the token of its link; a call has the token itself. */
const noting = (token: NotedToken): ReportCommand => ({
  type: 'recordPublication',
  publication: {
    version: 9,
    status: 'unpublished',
    publishedAt: null,
    analysisRevision: null,
    captureFinishedAt: null,
    link: { token, expiresAt: null },
  },
});

export const finishing = (analysisId: string, outcome?: Outcome): ReportCommand => ({
  type: 'recordAnalysis',
  analysis: finished(slot, analysisId, outcome),
  revisionId: newId(),
});

/** Of an analysis that the slot has, or had. */
const confirming = (analysisId: string): ReportCommand => ({
  type: 'confirmSize',
  offered: { slotId: slot, analysisId, size: { section_width: 205, aspect_ratio: 55, rim_diameter: 16 } },
  read: {},
  analysisId: newId(),
  revisionId: newId(),
});

/** Over an analysis that the slot has, or had. */
const gauging = (analysisId: string, values: GaugedAnalysis['values'] = []): ReportCommand => ({
  type: 'setGauge',
  slotId: slot,
  held: {
    analysisId,
    seenId: analysisId,
    measuredId: analysisId,
    measured: JSON.parse(finished(slot, analysisId).json) as GaugedAnalysis['measured'],
    values,
  },
  readings: [{ groove: 1, depthMm: 3.4 }],
  analysisId: newId(),
  revisionId: newId(),
});

const GAUGED = [{ groove: 1, depth_mm: 3.4, measured_mm: 5.1, measured_interval_mm: null, entered_at: NOW.toISOString() }];

const endedAnalysisOf = (state: ReportState): string => {
  const held = stateOfSlot(state);
  return held.phase === 'succeeded' || held.phase === 'failed' ? held.analysis.analysisId : currentAnalysis(state);
};

export const commands = {
  create: () => ({ type: 'create', identity: identityOf('tire_4t_0s'), images: [] }),
  registerNew: () => registering(newId(), false),
  registerNewReplacing: () => registering(newId(), true),
  registerSame: (state) => registering(currentAsset(state), false),
  registerOutside: () => ({
    type: 'registerImages',
    replace: true,
    images: [{ slotId: 'tire.sidewall.front_left', assetId: newId(), analysisId: newId() }],
    revisionId: newId(),
  }),
  analyzeFailed: () => analyzing(),
  analyzeListed: () => analyzing(slot),
  analyzeEmpty: () => analyzing(TREADS[3]!, slot),
  analyzeOutside: () => analyzing(slot, 'tire.sidewall.front_left'),
  fetchStored: (state) => fetching(state, null),
  fetchFailed: (state) => fetching(state, 'image_unreachable'),
  fetchStale: (state) => fetching(state, null, newId()),
  analysisMeasured: (state) => finishing(currentAnalysis(state)),
  analysisFailed: (state) => finishing(currentAnalysis(state), FAILED),
  analysisStale: () => finishing(newId()),
  confirmSize: (state) => confirming(endedAnalysisOf(state)),
  confirmSizeStale: () => confirming(newId()),
  setGauge: (state) => gauging(endedAnalysisOf(state)),
  setGaugeStale: () => gauging(newId()),
  setGaugeSame: (state) => gauging(endedAnalysisOf(state), GAUGED),
  content: (state) => ({
    type: 'recordContent',
    content: {
      analysisRevision: currentRevision(state),
      outcome: { kind: 'ready', contentRevision: newId(), etag: 'W/"2"', verdict: 'good' },
    },
  }),
  contentFailed: (state) => ({
    type: 'recordContent',
    content: { analysisRevision: currentRevision(state), outcome: { kind: 'failed', errorCode: 'internal_error' } },
  }),
  contentStale: () => ({
    type: 'recordContent',
    content: { analysisRevision: newId(), outcome: { kind: 'ready', contentRevision: newId(), etag: 'W/"3"', verdict: 'good' } },
  }),
  publication: () => ({
    type: 'recordPublication',
    publication: {
      version: 9,
      status: 'published',
      publishedAt: NOW.toISOString(),
      analysisRevision: null,
      captureFinishedAt: null,
      link: null,
    },
  }),
  publicationOfOwnLink: () => noting({ digest: tokenOf('token').digest }),
  publicationOfUnknownLink: () => noting({ digest: tokenOf('of a reissue').digest }),
  publicationOfReissuedLink: () => noting(tokenOf('of a reissue')),
  publicationOld: () => ({
    type: 'recordPublication',
    publication: { version: 0, status: 'revoked', publishedAt: null, analysisRevision: null, captureFinishedAt: null, link: null },
  }),
  restored: () => ({ type: 'recordRestored', contentLost: true, publication: null }),
  restoredOlder: () => ({
    type: 'recordRestored',
    contentLost: false,
    publication: { version: 0, status: 'revoked', publishedAt: null, analysisRevision: null, captureFinishedAt: null, link: null },
  }),
  importLegacy: () => ({
    type: 'importLegacy',
    identity: identityOf('tire_4t_0s', { legacy: true }),
    slots: [],
    analyses: [],
    completedAt: NOW.toISOString(),
    revisionId: newId(),
  }),
  discard: () => ({ type: 'discard' }),
  hold: () => ({ type: 'hold', by: 'user:1', reason: 'Case 7' }),
  releaseHold: () => ({ type: 'releaseHold' }),
  endImages: (state) => ({ type: 'endImages', assetIds: [currentAsset(state), newId()] }),
  purge: () => ({ type: 'purge' }),
  erase: () => ({ type: 'erase' }),
  finishRemoval: () => ({ type: 'finishRemoval' }),
} satisfies Record<string, (state: ReportState) => ReportCommand>;
