import type { AnalysisFinished, TreadMeasurement } from '@tire/contracts/events';
import { ALL_SLOTS, newId, slotId, type AnalysisErrorCode, type SlotId } from '@tire/kernel';
import { finishedAnalysis } from './analysis';
import { decide, type ReportCommand } from './decide';
import { linkIsValid, reportText, snapshotText, type PublicAddresses, type SlotTexts } from './document';
import { isRefusal } from './refusal';
import {
  evolve,
  initialState,
  type PublicationProjection,
  type Report,
  type ReportEvent,
  type ReportIdentity,
  type ReportState,
  type ShareToken,
} from './report';
import { endedState, heldAsset, type AnalysisFacts, type AnalysisRecord, type SlotAsset, type SlotState } from './slot';
import { analysisStatus, summaryStatus, type ContentFacts } from './status';
import { TEMPLATES, type TemplateKey } from './templates';
import { imageWarnings } from './warnings';

/** Builds states by commands, as the service does. */

/** Stands for a sealed token. The rules never open it, so it is not sealed. */
export const tokenOf = (token: string): ShareToken => ({ digest: Buffer.from(`digest of ${token}`), sealed: Buffer.from(token) });

export const NOW = new Date('2026-11-01T09:00:00.000Z');

export const identityOf = (templateKey: TemplateKey, over: Partial<ReportIdentity> = {}): ReportIdentity => ({
  reportId: newId(),
  projectId: newId(),
  projectMode: 'live',
  intake: 'partner_url',
  creation: { source_channel: 'partner_api', mode: 'automatic' },
  template: TEMPLATES[templateKey],
  contentProfile: { key: 'tire-standard', version: '1.0', locale: 'ko-KR' },
  generator: { rulesetVersion: '1.1', copyVersion: '1.0', projectionVersion: '1.0' },
  plateNumber: '12가 3456',
  externalInspectionId: null,
  externalVehicleId: null,
  vin: null,
  mileageKm: null,
  branchId: null,
  callbackUrl: null,
  metadataJson: '{}',
  shareToken: tokenOf('token'),
  createdAt: NOW.toISOString(),
  legacy: false,
  ...over,
});

export const TREADS: readonly SlotId[] = [
  'tire.tread.front_left',
  'tire.tread.front_right',
  'tire.tread.rear_left',
  'tire.tread.rear_right',
];

export const SIDEWALLS: readonly SlotId[] = [
  'tire.sidewall.front_left',
  'tire.sidewall.front_right',
  'tire.sidewall.rear_left',
  'tire.sidewall.rear_right',
];

export type Outcome = AnalysisFinished['outcome'];

const TREAD: TreadMeasurement = {
  quality: { recognized: true, confidence: 0.9 },
  aggregatedRemainingDepthMm: 5.1,
  estimatedLifetimeKm: 29_000,
  individualRemainingDepthMm: [5.1],
  individualDepthInterval: [],
  tireRotationDegClockwise: 0,
  vehicleSide: 'left',
  grooveMasks: [{ depthMm: 5.1, score: 0.8, polygonXyNorm: [{ x: 0, y: 0 }] }],
  treadRoiBboxNorm: { x1: 0, y1: 0, x2: 1, y2: 1 },
};

export function measured(slotId: SlotId): Outcome {
  if (!slotId.startsWith('tire.sidewall')) return { $case: 'tread', value: TREAD };
  const size = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
  return { $case: 'sidewall', value: { quality: TREAD.quality, size } };
}

export const FAILED: Outcome = { $case: 'errorCode', value: 'tread_not_found' };

export const finished = (slotId: SlotId, analysisId: string, outcome: Outcome = measured(slotId), completedAt = NOW.toISOString()) =>
  finishedAnalysis(slotId, { analysisId, outcome, retakeReasons: [], model: 'tread 1.0.0', completedAt }, NOW);

/** Stands in for the store. Branches of one state end the same attempt in different ways, so the key has the outcome too. */
const analysisTexts = new Map<string, string>();
const textKey = ({ analysisId, errorCode }: AnalysisFacts): string => `${analysisId} ${errorCode}`;

export function storeAnalyses(events: readonly ReportEvent[]): void {
  for (const event of events) {
    const records =
      event.type === 'slotEnded' || event.type === 'sizeConfirmed' || event.type === 'gaugeSet'
        ? [event.analysis]
        : event.type === 'reportCreated'
          ? event.analyses
          : [];
    for (const record of records) analysisTexts.set(textKey(record), record.json);
  }
}

export function apply(state: ReportState, command: ReportCommand, now: Date = NOW): ReportState {
  const decision = decide(state, command, now);
  if (isRefusal(decision)) throw new Error(`${command.type} was refused: ${decision.refused}`);
  storeAnalyses(decision);
  return decision.reduce(evolve, state);
}

export function opened(state: ReportState): Report {
  if (state.lifecycle === 'absent') throw new Error('no report');
  return state.report;
}

const partnerAsset = (id: SlotId): SlotAsset => ({
  assetId: newId(),
  source: { kind: 'partner_url', url: `https://images.example/${id}.jpg`, clientAssetId: null },
});

export const created = (templateKey: TemplateKey, images: readonly SlotId[] = [], over: Partial<ReportIdentity> = {}): ReportState =>
  apply(initialState, {
    type: 'create',
    identity: identityOf(templateKey, { intake: images.length > 0 ? 'partner_url' : 'upload', ...over }),
    images: images.map((slotId) => ({
      slotId,
      asset: partnerAsset(slotId),
      analysisId: newId(),
    })),
  });

export const register = (state: ReportState, slotId: SlotId, replace = false, assetId = newId()): ReportState =>
  apply(state, { type: 'registerImages', replace, images: [{ slotId, assetId, analysisId: newId() }], revisionId: newId() });

export function fetched(state: ReportState, slotId: SlotId, errorCode: AnalysisErrorCode | null = null): ReportState {
  const slot = opened(state).slots.find((candidate) => candidate.slotId === slotId)?.state;
  if (slot?.phase !== 'fetching') throw new Error(`${slotId} is not being fetched`);
  const { asset, analysisId } = slot;
  return apply(state, { type: 'recordFetch', slotId, assetId: asset.assetId, errorCode, analysisId, revisionId: newId() });
}

export function analyzed(state: ReportState, slotId: SlotId, outcome: Outcome = measured(slotId)): ReportState {
  const slot = opened(state).slots.find((candidate) => candidate.slotId === slotId)?.state;
  if (slot?.phase !== 'analyzing') throw new Error(`${slotId} is not being analyzed`);
  return apply(state, { type: 'recordAnalysis', analysis: finished(slotId, slot.analysisId, outcome), revisionId: newId() });
}

/** Registers and measures: a slot with a result. */
export const withResult = (state: ReportState, slotId: SlotId, outcome?: Outcome): ReportState =>
  analyzed(register(state, slotId), slotId, outcome);

export const contentReady = (state: ReportState): ReportState =>
  apply(state, {
    type: 'recordContent',
    content: {
      analysisRevision: opened(state).revision!.revisionId,
      outcome: { kind: 'ready', contentRevision: newId(), etag: 'W/"1"', verdict: 'good' as const },
    },
  });

export const judged = (state: ReportState, over: Partial<PublicationProjection>): ReportState => {
  const { publication, revision } = opened(state);
  const received = { ...publication, version: publication.version + 1, analysisRevision: revision?.revisionId ?? null, ...over };
  return apply(state, { type: 'recordPublication', publication: received });
};

export const published = (state: ReportState): ReportState => judged(state, { status: 'published', publishedAt: NOW.toISOString() });

export const attemptIds = (): Record<SlotId, string> =>
  Object.fromEntries(ALL_SLOTS.map((slot) => [slotId(slot), newId()])) as Record<SlotId, string>;

export const analyzeAgain = (state: ReportState, slotIds: readonly SlotId[]): ReportState =>
  apply(state, { type: 'analyze', slotIds, attemptIds: attemptIds() });

/** Imported with one result and two failures; the image of only one of them can be fetched again. */
export function legacy(): ReportState {
  const then = (id: SlotId, outcome: Outcome): AnalysisRecord => ({ ...finished(id, newId(), outcome), provenance: 'legacy_projection' });
  const upload: SlotAsset = { assetId: newId(), source: { kind: 'atrace_upload' } };
  const analyses = [then(TREADS[0]!, measured(TREADS[0]!)), then(TREADS[1]!, FAILED), then(TREADS[2]!, FAILED)];
  const assets = [upload, partnerAsset(TREADS[1]!), null];
  const stateOf = (index: number): SlotState => {
    const analysis = analyses[index];
    return analysis ? endedState(assets[index] ?? null, analysis) : { phase: 'empty' };
  };
  return apply(initialState, {
    type: 'importLegacy',
    identity: identityOf('tire_4t_0s', { legacy: true }),
    slots: TREADS.map((id, index) => ({ slotId: id, state: stateOf(index) })),
    analyses,
    completedAt: NOW.toISOString(),
    revisionId: newId(),
  });
}

/** Every state of a report with four treads, by name. */
const held = (state: ReportState): ReportState => apply(state, { type: 'hold', by: 'user:1', reason: 'Case 7' });

function assetOf(state: ReportState, id: SlotId): string {
  const slot = state.lifecycle === 'absent' ? undefined : state.report.slots.find((candidate) => candidate.slotId === id);
  return heldAsset(slot!.state)!;
}

export function reportStates(): Record<string, ReportState> {
  const empty = created('tire_4t_0s');
  const processing = register(empty, TREADS[0]!);
  const complete = TREADS.reduce((state, slotId) => withResult(state, slotId), empty);
  return {
    absent: initialState,
    awaitingImages: empty,
    awaitingMoreImages: analyzed(processing, TREADS[0]!),
    fetching: created('tire_4t_0s', [TREADS[0]!]),
    processing,
    partial: withResult(analyzed(processing, TREADS[0]!), TREADS[1]!, FAILED),
    failed: analyzed(processing, TREADS[0]!, FAILED),
    complete,
    completeWithContent: contentReady(complete),
    published: published(contentReady(complete)),
    replacing: register(published(contentReady(complete)), TREADS[0]!, true),
    fetchFailed: fetched(created('tire_4t_0s', [TREADS[0]!]), TREADS[0]!, 'image_unreachable'),
    legacy: legacy(),
    held: held(complete),
    heldTest: held(created('tire_4t_0s', [], { projectMode: 'test' })),
    heldDiscarded: apply(held(complete), { type: 'discard' }),
    releasedDiscarded: apply(apply(held(complete), { type: 'discard' }), { type: 'releaseHold' }),
    ended: apply(complete, { type: 'endImages', assetIds: [assetOf(complete, TREADS[0]!)] }),
    discarded: apply(published(contentReady(complete)), { type: 'discard' }),
    cleared: apply(apply(complete, { type: 'discard' }), { type: 'finishRemoval' }),
    discardedTest: apply(created('tire_4t_0s', [], { projectMode: 'test' }), { type: 'discard' }),
    test: created('tire_4t_0s', [], { projectMode: 'test' }),
    purging: apply(created('tire_4t_0s', [], { projectMode: 'test' }), { type: 'purge' }),
  };
}

export const ADDRESSES: PublicAddresses = { apiUrl: 'https://api.example/api/v1', shareBaseUrl: 'https://share.example' };

export const contentFactsOf = (report: Report): ContentFacts => ({
  ...report,
  analysisStatus: analysisStatus(report),
  legacy: report.identity.legacy,
});

/** The texts of the slots that are not empty, as the store reads them for a document. */
const slotTextsOf = ({ slots }: Report): ReadonlyMap<string, SlotTexts> =>
  new Map(
    slots.flatMap(({ slotId: id, state }): [string, SlotTexts][] => {
      if (state.phase === 'empty') return [];
      const ended = state.phase === 'succeeded' || state.phase === 'failed' ? state : null;
      const status = ended ? (ended.phase === 'failed' ? 'failed' : 'success') : 'pending';
      const source = state.asset && { url: null, client_asset_id: null, ...sourceOf(state.asset) };
      const asset = JSON.stringify(state.asset && { asset_id: state.asset.assetId, source });
      return [[id, { status, asset, analysis: ended && analysisTexts.get(textKey(ended.analysis))! }]];
    }),
  );

const sourceOf = ({ source }: SlotAsset) =>
  source.kind === 'partner_url' ? { kind: source.kind, url: source.url, client_asset_id: source.clientAssetId } : source;

const dateOrNull = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** report.v1 as it is served. */
export function served(report: Report): unknown {
  const { identity, revision, publication } = report;
  const linkExpiresAt = dateOrNull(publication.link?.expiresAt);
  const facts = {
    ...identity,
    analysisStatus: analysisStatus(report),
    publicationStatus: publication.status,
    sourceChannel: identity.creation.source_channel,
    creationMode: identity.creation.mode,
    revisionId: revision?.revisionId ?? null,
    createdAt: new Date(identity.createdAt),
    revisionCompletedAt: dateOrNull(revision?.completedAt),
    publishedAt: dateOrNull(publication.publishedAt),
    updatedAt: new Date(report.updatedAt),
    warningsJson: JSON.stringify(imageWarnings(report.slots)),
    captureJson: report.capture && JSON.stringify(report.capture),
  };
  const derived = {
    summaryStatus: summaryStatus(contentFactsOf(report)),
    template: identity.template,
    linkToken: linkIsValid({ ...identity, linkExpiresAt }, NOW) ? (publication.link?.token.sealed.toString() ?? null) : null,
    now: NOW,
  };
  return JSON.parse(reportText(facts, derived, slotTextsOf(report), ADDRESSES));
}

export const snapshotOf = (report: Report): unknown =>
  JSON.parse(snapshotText(report.identity, report.revision!, slotTextsOf(report), JSON.stringify(imageWarnings(report.slots))));
