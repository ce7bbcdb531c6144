import { newId } from '@tire/kernel';
import { decide, type Decision, type ReportCommand } from './decide';
import { isRefusal } from './refusal';
import type { ReportState } from './report';
import {
  FAILED,
  NOW,
  TREADS,
  analyzed,
  created,
  fetched,
  identityOf,
  measured,
  opened,
  register,
  reportStates,
  withResult,
} from './report.fixture';
import type { SlotState } from './slot';
import { analysisStatus } from './status';

const slot = TREADS[0]!;

const stateOfSlot = (state: ReportState): SlotState =>
  state.lifecycle === 'absent' ? { phase: 'empty' } : state.report.slots.find(({ slotId }) => slotId === slot)!.state;

const currentAsset = (state: ReportState): string => {
  const held = stateOfSlot(state);
  return held.phase === 'empty' ? newId() : held.asset.assetId;
};

const currentAnalysis = (state: ReportState): string => {
  const held = stateOfSlot(state);
  return held.phase === 'analyzing' ? held.analysisId : newId();
};

const currentRevision = (state: ReportState): string =>
  (state.lifecycle === 'open' ? state.report.revision?.revisionId : undefined) ?? newId();

const registering = (assetId: string, replace: boolean): ReportCommand => ({
  type: 'registerImages',
  replace,
  images: [{ slotId: slot, assetId, analysisId: newId() }],
});

const fetching = (assetId: string, errorCode: 'image_unreachable' | null): ReportCommand => ({
  type: 'recordFetch',
  slotId: slot,
  assetId,
  errorCode,
  analysisId: newId(),
  revisionId: newId(),
});

const finishing = (analysisId: string, outcome = measured(slot)): ReportCommand => ({
  type: 'recordAnalysis',
  slotId: slot,
  analysisId,
  outcome,
  model: 'tread 1.0.0',
  completedAt: NOW.toISOString(),
  revisionId: newId(),
});

const commands = {
  create: () => ({ type: 'create', identity: identityOf('tire_4t_0s'), images: [] }),
  registerNew: () => registering(newId(), false),
  registerNewReplacing: () => registering(newId(), true),
  registerSame: (state) => registering(currentAsset(state), false),
  registerOutside: () => ({
    type: 'registerImages',
    replace: true,
    images: [{ slotId: 'tire.sidewall.front_left', assetId: newId(), analysisId: newId() }],
  }),
  fetchStored: (state) => fetching(currentAsset(state), null),
  fetchFailed: (state) => fetching(currentAsset(state), 'image_unreachable'),
  fetchStale: () => fetching(newId(), null),
  analysisMeasured: (state) => finishing(currentAnalysis(state)),
  analysisFailed: (state) => finishing(currentAnalysis(state), FAILED),
  analysisStale: () => finishing(newId()),
  content: (state) => ({
    type: 'recordContent',
    content: { analysisRevision: currentRevision(state), outcome: { kind: 'ready', contentRevision: newId(), etag: 'W/"2"' } },
  }),
  contentFailed: (state) => ({
    type: 'recordContent',
    content: { analysisRevision: currentRevision(state), outcome: { kind: 'failed', errorCode: 'internal_error' } },
  }),
  contentStale: () => ({
    type: 'recordContent',
    content: { analysisRevision: newId(), outcome: { kind: 'ready', contentRevision: newId(), etag: 'W/"3"' } },
  }),
  publication: () => ({
    type: 'recordPublication',
    publication: { version: 9, status: 'published', publishedAt: NOW.toISOString(), linkActive: true },
  }),
  publicationOld: () => ({
    type: 'recordPublication',
    publication: { version: 0, status: 'revoked', publishedAt: null, linkActive: false },
  }),
} satisfies Record<string, (state: ReportState) => ReportCommand>;

type CommandName = keyof typeof commands;

const states = reportStates();

const told = (decision: Decision): string =>
  isRefusal(decision) ? `refused ${decision.refused}` : decision.map(({ type }) => type).join(' ') || '-';

const REQUESTED = 'analysisRequested';
const ENDED = 'slotEnded analysisEnded';
const SUCCEEDED = 'refused slot_already_succeeded';

/** Rows are states, and what each command comes to there; a command that is not listed changes nothing. */
const table: Record<keyof typeof states, Partial<Record<CommandName, string>>> = {
  absent: Object.fromEntries(Object.keys(commands).map((name) => [name, name === 'create' ? 'reportCreated' : 'refused not_found'])),
  awaitingImages: { registerNew: REQUESTED, registerNewReplacing: REQUESTED, registerSame: REQUESTED },
  awaitingMoreImages: { registerNew: SUCCEEDED, registerNewReplacing: REQUESTED },
  fetching: { registerNew: REQUESTED, registerNewReplacing: REQUESTED, fetchStored: REQUESTED, fetchFailed: ENDED },
  processing: { registerNew: REQUESTED, registerNewReplacing: REQUESTED, analysisMeasured: 'slotEnded', analysisFailed: ENDED },
  partial: { registerNew: SUCCEEDED, registerNewReplacing: REQUESTED, content: 'contentNoted', contentFailed: 'contentNoted' },
  failed: { registerNew: REQUESTED, registerNewReplacing: REQUESTED, content: 'contentNoted', contentFailed: 'contentNoted' },
  complete: { registerNew: SUCCEEDED, registerNewReplacing: REQUESTED, content: 'contentNoted', contentFailed: 'contentNoted' },
  completeWithContent: { registerNew: SUCCEEDED, registerNewReplacing: REQUESTED },
  published: { registerNew: SUCCEEDED, registerNewReplacing: REQUESTED },
  replacing: { registerNew: SUCCEEDED, registerNewReplacing: REQUESTED, analysisMeasured: ENDED, analysisFailed: ENDED },
};

const everywhere: Partial<Record<CommandName, string>> = {
  create: 'refused idempotency_conflict',
  registerOutside: 'refused validation_error',
  publication: 'publicationNoted',
};

describe('decide', () => {
  const names = Object.keys(commands) as CommandName[];
  const pairs = Object.keys(states).flatMap((stateName) => names.map((name) => [stateName, name] as const));

  it.each(pairs)('%s x %s', (stateName, name) => {
    const state = states[stateName]!;
    const decision = decide(state, commands[name](state), NOW);
    expect(told(decision)).toBe(table[stateName]?.[name] ?? everywhere[name] ?? '-');
  });

  it('reaches every state of every slot and every analysis status', () => {
    const phases = new Set(Object.values(states).map((state) => stateOfSlot(state).phase));
    expect([...phases].sort()).toEqual(['analyzing', 'empty', 'failed', 'fetching', 'succeeded']);
    const statuses = Object.values(states).flatMap((state) => (state.lifecycle === 'open' ? [analysisStatus(state.report)] : []));
    expect([...new Set(statuses)].sort()).toEqual(['awaiting_images', 'complete', 'failed', 'partial', 'processing']);
  });

  it('takes a whole registration or nothing of it', () => {
    const state = withResult(created('tire_4t_0s'), slot);
    const images = [TREADS[1]!, slot].map((slotId) => ({ slotId, assetId: newId(), analysisId: newId() }));
    const decision = decide(state, { type: 'registerImages', replace: false, images }, NOW);
    expect(decision).toEqual({ refused: 'slot_already_succeeded', param: 'images[1].slot' });
  });

  it('lets a newer photograph supersede one that is pending or failed, and forgets the older attempt', () => {
    const first = register(created('tire_4t_0s'), slot);
    const stale = currentAnalysis(first);
    const second = register(first, slot);
    expect(currentAnalysis(second)).not.toBe(stale);
    expect(decide(second, finishing(stale), NOW)).toEqual([]);
    const failed = analyzed(second, slot, FAILED);
    expect(stateOfSlot(register(failed, slot))).toMatchObject({ phase: 'analyzing', replacesSuccess: false });
  });

  it('measures a fetched image with a new fence and keeps the submitted address', () => {
    const state = fetched(created('tire_4t_0s', [slot]), slot);
    expect(stateOfSlot(state)).toMatchObject({ phase: 'analyzing', asset: { source: { kind: 'partner_url' } }, replacesSuccess: false });
  });

  it('keeps the frozen revision while a replacement is measured, and freezes a new one when it ends', () => {
    const before = states['published']!;
    const replacing = states['replacing']!;
    expect(opened(replacing).revision?.revisionId).not.toBeUndefined();
    expect(opened(register(before, slot, true)).revision).toEqual(opened(before).revision);
    const after = opened(analyzed(replacing, slot, FAILED));
    expect(after.revision).toMatchObject({ status: 'partial' });
    expect(after.revision?.revisionId).not.toBe(opened(replacing).revision?.revisionId);
  });

  it.each([
    ['2026-11-01T08:59:58.000Z', '2026-11-01T08:59:58.000Z'],
    ['2026-11-01T09:00:07.000Z', NOW.toISOString()],
    ['not a time', NOW.toISOString()],
  ])('a slot that a worker says ended at %s ended at %s', (completedAt, expected) => {
    const state = states['processing']!;
    const command = { ...finishing(currentAnalysis(state)), completedAt } as ReportCommand;
    expect(decide(state, command, NOW)).toMatchObject([{ type: 'slotEnded', analysis: { completed_at: expected } }]);
  });
});
