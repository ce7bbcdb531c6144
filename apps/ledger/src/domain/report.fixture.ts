import { ALL_SLOTS, newId, slotId, type AnalysisErrorCode, type SlotId } from '@tire/kernel';
import { endedAnalysis } from './analysis';
import { decide, type ReportCommand } from './decide';
import { isRefusal } from './refusal';
import { evolve, initialState, type PublicationProjection, type Report, type ReportIdentity, type ReportState } from './report';
import type { SlotAsset, SlotOutcome, SlotState } from './slot';
import { TEMPLATES, type TemplateKey } from './templates';

/** Builds states the only way a state can come about: by commands. */

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
  callbackUrl: null,
  metadata: {},
  shareToken: 'token',
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

export function measured(slotId: SlotId): SlotOutcome {
  const quality = { recognized: true, confidence: 0.9 };
  if (slotId.startsWith('tire.sidewall')) {
    return { kind: 'measured', quality, result: { size: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 } } };
  }
  const result = {
    aggregated_depth: { aggregated_remaining_depth: 5.1, estimated_lifetime: 29_000 },
    individual_depths: { individual_remaining_depth: [5.1] },
    tire_rotation: 0,
    vehicle_side: 'left' as const,
    groove_masks: [{ depth_mm: 5.1, score: 0.8, polygon_xy_norm: [[0, 0] as [number, number]] }],
    tread_roi: { bbox_xyxy_norm: [0, 0, 1, 1] as [number, number, number, number] },
  };
  return { kind: 'measured', quality, result };
}

export const FAILED: SlotOutcome = { kind: 'failed', errorCode: 'tread_not_found' };

export function apply(state: ReportState, command: ReportCommand, now: Date = NOW): ReportState {
  const decision = decide(state, command, now);
  if (isRefusal(decision)) throw new Error(`${command.type} was refused: ${decision.refused}`);
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

export function analyzed(state: ReportState, slotId: SlotId, outcome: SlotOutcome = measured(slotId)): ReportState {
  const slot = opened(state).slots.find((candidate) => candidate.slotId === slotId)?.state;
  if (slot?.phase !== 'analyzing') throw new Error(`${slotId} is not being analyzed`);
  return apply(state, {
    type: 'recordAnalysis',
    slotId,
    analysisId: slot.analysisId,
    outcome,
    model: 'tread 1.0.0',
    completedAt: NOW.toISOString(),
    revisionId: newId(),
  });
}

/** Registers and measures: a slot with a result. */
export const withResult = (state: ReportState, slotId: SlotId, outcome?: SlotOutcome): ReportState =>
  analyzed(register(state, slotId), slotId, outcome);

export const contentReady = (state: ReportState): ReportState =>
  apply(state, {
    type: 'recordContent',
    content: {
      analysisRevision: opened(state).revision!.revisionId,
      outcome: { kind: 'ready', contentRevision: newId(), etag: 'W/"1"' },
    },
  });

export const judged = (state: ReportState, over: Partial<PublicationProjection>): ReportState => {
  const { publication, revision } = opened(state);
  const said = { ...publication, version: publication.version + 1, analysisRevision: revision?.revisionId ?? null, ...over };
  return apply(state, { type: 'recordPublication', publication: said });
};

export const published = (state: ReportState): ReportState => judged(state, { status: 'published', publishedAt: NOW.toISOString() });

export const attemptIds = (): Record<SlotId, string> =>
  Object.fromEntries(ALL_SLOTS.map((slot) => [slotId(slot), newId()])) as Record<SlotId, string>;

export const analyzeAgain = (state: ReportState, slotIds: readonly SlotId[]): ReportState =>
  apply(state, { type: 'analyze', slotIds, attemptIds: attemptIds() });

/** Taken over with one result and two failures; of only one of them the photograph can be had again. */
export function legacy(): ReportState {
  const then = (id: SlotId, outcome: SlotOutcome) => ({
    analysis: { ...endedAnalysis(id, outcome, NOW.toISOString()), provenance: 'legacy_projection' as const },
    model: null,
  });
  const upload: SlotAsset = { assetId: newId(), source: { kind: 'atrace_upload' } };
  const results: SlotState[] = [
    { phase: 'succeeded', asset: upload, ...then(TREADS[0]!, measured(TREADS[0]!)) },
    { phase: 'failed', asset: partnerAsset(TREADS[1]!), ...then(TREADS[1]!, FAILED) },
    { phase: 'failed', asset: null, ...then(TREADS[2]!, FAILED) },
  ];
  return apply(initialState, {
    type: 'importLegacy',
    identity: identityOf('tire_4t_0s', { legacy: true }),
    slots: TREADS.map((id, index) => ({ slotId: id, state: results[index] ?? { phase: 'empty' } })),
    completedAt: NOW.toISOString(),
    revisionId: newId(),
  });
}

/** Every state that a report of four treads can be in, by name. */
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
    discarded: apply(published(contentReady(complete)), { type: 'discard' }),
    cleared: apply(apply(complete, { type: 'discard' }), { type: 'finishRemoval' }),
    discardedTest: apply(created('tire_4t_0s', [], { projectMode: 'test' }), { type: 'discard' }),
    test: created('tire_4t_0s', [], { projectMode: 'test' }),
    purging: apply(created('tire_4t_0s', [], { projectMode: 'test' }), { type: 'purge' }),
  };
}
