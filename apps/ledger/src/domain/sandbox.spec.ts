import { SANDBOX_NAMES, sandboxAddress, sandboxFault, sandboxPhotograph } from '@tire/kernel';
import { failedAnalysis, finishedAnalysis } from './analysis';
import { workOf } from './handover';
import { identityOf, NOW } from './report.fixture';
import { awaitedPhotograph, photographOfModel, sandboxEffects, sandboxModel, waitsFrom } from './sandbox';
import { endedState, type SlotAsset, type SlotState } from './slot';

const { sha256 } = sandboxPhotograph('tread-slow');
const fetched: SlotAsset = {
  assetId: '0193b1f0-0000-7000-8000-000000000001',
  source: { kind: 'partner_url', url: sandboxAddress('tread-slow'), clientAssetId: null },
  sha256,
};
const uploaded: SlotAsset = { ...fetched, source: { kind: 'atrace_upload' } };
const attempt = { analysisId: '0193b1f0-0000-7000-8000-000000000002', replacesSuccess: false };
const test = identityOf('tire_4t_0s', { projectMode: 'test' });
const live = identityOf('tire_4t_0s', { projectMode: 'live' });

describe('a well-known photograph', () => {
  it.each<[string, SlotState]>([
    ['by its address', { phase: 'fetching', asset: { ...fetched, sha256: undefined }, ...attempt }],
    ['by its bytes, from its address', { phase: 'analyzing', asset: fetched, ...attempt }],
    ['by its bytes, from an upload', { phase: 'analyzing', asset: uploaded, ...attempt }],
  ])('is known %s in test projects, and never in live ones', (_, state) => {
    expect([awaitedPhotograph(test, state), awaitedPhotograph(live, state)]).toEqual(['tread-slow', undefined]);
  });

  it('is not known by an address in part', () => {
    for (const url of [`${sandboxAddress('tread-slow')}?x=1`, 'https://sandbox.tire-inspection.example/tread-none.jpg']) {
      const asset: SlotAsset = { ...fetched, source: { kind: 'partner_url', url, clientAssetId: null } };
      expect(awaitedPhotograph(test, { phase: 'fetching', asset, ...attempt })).toBeUndefined();
    }
  });

  it('that is slow is fetched at once, and waits then for its result', () => {
    expect(waitsFrom({ phase: 'fetching', asset: fetched, ...attempt }, 'tread-slow', NOW)).toEqual(NOW);
    expect(waitsFrom({ phase: 'analyzing', asset: fetched, ...attempt }, 'tread-slow', NOW)).toEqual(new Date(NOW.getTime() + 30_000));
    expect(waitsFrom({ phase: 'analyzing', asset: fetched, ...attempt }, null, NOW)).toEqual(NOW);
    expect(waitsFrom({ phase: 'empty' }, null, NOW)).toBeNull();
  });

  it('is named in the work of fetchers', () => {
    const slot = { slotId: 'tire.tread.front_left' as const, state: { phase: 'fetching' as const, asset: fetched, ...attempt } };
    const waiting = { attempts: 0, queuedAt: NOW, sandbox: null };
    expect(workOf(test, slot, { ...waiting, sandbox: 'tread-slow' }).message).toMatchObject({ sandbox: 'tread-slow' });
    expect(workOf(test, slot, waiting).message).toMatchObject({ sandbox: undefined });
  });

  it('is named in the analysis that is served, measured or not, and in no other', () => {
    const error = { $case: 'errorCode', value: 'image_too_small' } as const;
    const finished = { ...attempt, outcome: error, retakeReasons: [], completedAt: NOW.toISOString() };
    const slot = 'tire.tread.front_left';
    const named = finishedAnalysis(slot, { ...finished, model: sandboxModel('error-image-too-small') }, NOW);
    expect(JSON.parse(named.json)).toMatchObject({ status: 'failed', sandbox: 'error-image-too-small' });
    const atFetch = failedAnalysis(slot, attempt.analysisId, 'image_unreachable', NOW.toISOString(), 'error-image-unreachable');
    expect(JSON.parse(atFetch.json)).toMatchObject({ sandbox: 'error-image-unreachable' });
    for (const model of ['tire-tread@3.0.1', '', 'sandbox@unknown'])
      expect(JSON.parse(finishedAnalysis(slot, { ...finished, model }, NOW).json)).not.toHaveProperty('sandbox');
    expect(photographOfModel(null)).toBeUndefined();
  });

  it('has effects on its report only while the report shows it', () => {
    const showing = (...names: (typeof SANDBOX_NAMES)[number][]) =>
      names.map((name) => ({
        slotId: 'tire.tread.front_left' as const,
        state: endedState(uploaded, { analysisId: attempt.analysisId, provenance: 'engine', errorCode: null, model: sandboxModel(name) }),
      }));
    expect(sandboxEffects(showing('tread-front-left', 'tread-slow'))).toBeUndefined();
    expect(sandboxEffects(showing('tread-content-fails'))).toEqual({ contentFails: true, callbackFailures: 0 });
    expect(sandboxEffects(showing('tread-callback-fails-twice'))).toEqual({ contentFails: false, callbackFailures: 2 });
  });
});

describe('the fault of a photograph in a slot', () => {
  it('is that of its name, whatever the slot and however often', () => {
    for (const before of [0, 1])
      expect(sandboxFault('error-image-too-large', 'sidewall', before)).toEqual({ errorCode: 'image_too_large' });
  });

  it('is the wrong kind, with the advice of the models', () => {
    expect(sandboxFault('tread-front-left', 'sidewall', 0)).toEqual({
      errorCode: 'sidewall_not_found',
      retakeReason: 'tread_in_sidewall_slot',
    });
    expect(sandboxFault('sidewall-unread', 'tread', 3)).toEqual({ errorCode: 'tread_not_found', retakeReason: 'wheel_in_tread_slot' });
  });

  it('is there only at the first measurement where the second one succeeds', () => {
    expect([0, 1, 2].map((before) => sandboxFault('tread-second-try', 'tread', before))).toEqual([
      { errorCode: 'analysis_failed' },
      undefined,
      undefined,
    ]);
  });
});
