import { newId, timeOfId } from '@tire/kernel';
import { analyzing, commands, currentAnalysis, currentAsset, fetching, finishing, slot, stateOfSlot } from './commands.fixture';
import { decide, type Decision, type ReportCommand } from './decide';
import { endableImages, refuseHeld } from './removal';
import { isRefusal } from './refusal';
import type { ReportState } from './report';
import {
  FAILED,
  NOW,
  TREADS,
  analyzeAgain,
  analyzed,
  apply,
  created,
  fetched,
  finished,
  opened,
  register,
  reportStates,
  tokenOf,
  withResult,
} from './report.fixture';
import { analysisStatus } from './status';

type CommandName = keyof typeof commands;

const states = reportStates();

const summary = (decision: Decision): string =>
  isRefusal(decision) ? `refused ${decision.refused}` : decision.map(({ type }) => type).join(' ') || '-';

const REQUESTED = 'analysisRequested';
const ENDED = 'slotEnded analysisEnded';
const SUCCEEDED = 'refused slot_already_succeeded';
const INVALID = 'refused validation_error';

type Row = Partial<Record<CommandName, string>>;

const MEASURED: Row = {
  registerNew: SUCCEEDED,
  registerNewReplacing: REQUESTED,
  analyzeListed: REQUESTED,
  confirmSize: 'sizeConfirmed analysisEnded',
  setGauge: 'gaugeSet analysisEnded',
  setGaugeSame: '-',
  endImages: 'imagesEnded',
};
const PENDING: Row = { registerNew: REQUESTED, registerNewReplacing: REQUESTED };
const FAILED_ONE: Row = { endImages: 'imagesEnded', registerNew: REQUESTED, registerNewReplacing: REQUESTED };

const COMPLETE: Row = {
  ...MEASURED,
  analyzeEmpty: 'analysisRequested analysisRequested',
  content: 'contentNoted',
  contentFailed: 'contentNoted',
};
/** Nothing of the report ends. */
const HELD: Row = { purge: '-', erase: 'refused conflict', releaseHold: 'holdChanged', endImages: '-' };

/** Rows are states, and what each command comes to there; a command that is not listed changes nothing. */
const open: Record<string, Row> = {
  awaitingImages: { ...PENDING, registerSame: REQUESTED, analyzeListed: INVALID },
  awaitingMoreImages: { ...MEASURED, confirmSize: 'sizeConfirmed', setGauge: 'gaugeSet' },
  fetching: { ...PENDING, fetchStored: REQUESTED, fetchFailed: ENDED },
  processing: { ...PENDING, analysisMeasured: 'slotEnded', analysisFailed: ENDED },
  partial: { ...MEASURED, analyzeFailed: REQUESTED, content: 'contentNoted', contentFailed: 'contentNoted' },
  failed: { ...FAILED_ONE, analyzeFailed: REQUESTED, analyzeListed: REQUESTED, content: 'contentNoted', contentFailed: 'contentNoted' },
  fetchFailed: {
    ...FAILED_ONE,
    analyzeFailed: 'fetchRequested',
    analyzeListed: 'fetchRequested',
    content: 'contentNoted',
    contentFailed: 'contentNoted',
  },
  complete: COMPLETE,
  completeWithContent: { ...MEASURED, restored: 'verdictNoted', analyzeEmpty: 'analysisRequested analysisRequested' },
  published: { ...MEASURED, restored: 'verdictNoted', analyzeEmpty: 'analysisRequested analysisRequested' },
  replacing: {
    restored: 'verdictNoted',
    registerNew: SUCCEEDED,
    registerNewReplacing: REQUESTED,
    analyzeEmpty: REQUESTED,
    analysisMeasured: ENDED,
    analysisFailed: ENDED,
  },
  legacy: {
    ...MEASURED,
    analyzeListed: INVALID,
    setGauge: INVALID,
    setGaugeSame: INVALID,
    analyzeFailed: 'fetchRequested',
    content: 'contentNoted',
    contentFailed: 'contentNoted',
  },
  test: { ...PENDING, registerSame: REQUESTED, analyzeListed: INVALID },
  held: { ...COMPLETE, ...HELD },
  heldTest: { ...PENDING, registerSame: REQUESTED, analyzeListed: INVALID, ...HELD },
  ended: { ...COMPLETE, analyzeListed: INVALID, analyzeEmpty: INVALID, endImages: '-' },
};

const everyOpen: Row = {
  create: 'refused idempotency_conflict',
  registerOutside: INVALID,
  analyzeOutside: INVALID,
  analyzeEmpty: INVALID,
  confirmSize: INVALID,
  confirmSizeStale: INVALID,
  setGauge: INVALID,
  setGaugeStale: INVALID,
  setGaugeSame: INVALID,
  publication: 'publicationNoted',
  publicationOfOwnLink: 'publicationNoted',
  publicationOfReissuedLink: 'publicationNoted',
  restoredOlder: 'publicationNoted',
  discard: 'reportDiscarded',
  purge: 'purgeStarted',
  hold: 'holdChanged',
  erase: 'purgeStarted',
};

const CHANGES: readonly CommandName[] = [
  'create',
  'registerNew',
  'registerNewReplacing',
  'registerSame',
  'registerOutside',
  'analyzeFailed',
  'analyzeListed',
  'analyzeEmpty',
  'analyzeOutside',
  'confirmSize',
  'confirmSizeStale',
  'setGauge',
  'setGaugeStale',
  'setGaugeSame',
  'hold',
];
const refusedWith = (code: string): Row => Object.fromEntries(CHANGES.map((name) => [name, `refused ${code}`]));

const closed: Record<string, Row> = {
  discarded: { ...refusedWith('report_discarded'), finishRemoval: 'reportCleared', purge: 'purgeStarted', erase: 'purgeStarted' },
  heldDiscarded: { ...refusedWith('report_discarded'), releaseHold: 'holdChanged', erase: 'refused conflict' },
  releasedDiscarded: { ...refusedWith('report_discarded'), finishRemoval: 'reportCleared', purge: 'purgeStarted', erase: 'purgeStarted' },
  discardedTest: { ...refusedWith('report_discarded'), finishRemoval: 'reportCleared', purge: 'purgeStarted', erase: 'purgeStarted' },
  cleared: { ...refusedWith('report_discarded'), purge: 'purgeStarted', erase: 'purgeStarted' },
  purging: { ...refusedWith('report_purge_pending'), discard: 'refused report_purge_pending', finishRemoval: 'reportPurged' },
};

function expected(stateName: string, name: CommandName): string {
  if (stateName === 'absent') {
    if (name === 'create' || name === 'importLegacy') return 'reportCreated';
    if (name === 'purge' || name === 'erase' || name === 'finishRemoval') return '-';
    return 'refused not_found';
  }
  const row = open[stateName] ? { ...everyOpen, ...open[stateName] } : closed[stateName];
  if (!row) throw new Error(`${stateName} has no row`);
  return row[name] ?? '-';
}

describe('decide', () => {
  const names = Object.keys(commands) as CommandName[];
  const pairs = Object.keys(states).flatMap((stateName) => names.map((name) => [stateName, name] as const));

  it.each(pairs)('%s x %s', (stateName, name) => {
    const state = states[stateName]!;
    const decision = decide(state, commands[name](state), NOW);
    expect(summary(decision)).toBe(expected(stateName, name));
  });

  it('reaches every state of every slot and every analysis status', () => {
    const phases = new Set(Object.values(states).map((state) => stateOfSlot(state).phase));
    expect([...phases].sort()).toEqual(['analyzing', 'empty', 'failed', 'fetching', 'succeeded']);
    const statuses = Object.values(states).flatMap((state) => (state.lifecycle === 'open' ? [analysisStatus(state.report)] : []));
    expect([...new Set(statuses)].sort()).toEqual(['awaiting_images', 'complete', 'failed', 'partial', 'processing']);
  });

  it('reaches every lifecycle', () => {
    expect([...new Set(Object.values(states).map(({ lifecycle }) => lifecycle))].sort()).toEqual([
      'absent',
      'discarded',
      'open',
      'purging',
    ]);
  });

  it('keeps the version of a publication whose token it does not have, so that the token is requested', () => {
    const publicationAfter = (command: ReportCommand) =>
      (apply(states['complete']!, command) as ReportState & { lifecycle: 'open' }).report.publication;
    expect(publicationAfter(commands.publicationOfUnknownLink())).toMatchObject({ version: 0 });
    expect(publicationAfter(commands.publicationOfReissuedLink())).toMatchObject({ version: 9, link: { token: tokenOf('of a reissue') } });
  });

  it('refuses erasure of a held report, and of no other', () => {
    const refusal = (name: string) => refuseHeld((states[name] as ReportState & { lifecycle: 'open' }).report)?.refused ?? null;
    expect(['held', 'heldTest', 'heldDiscarded', 'releasedDiscarded', 'complete', 'discarded'].map(refusal)).toEqual([
      'conflict',
      'conflict',
      'conflict',
      null,
      null,
      null,
    ]);
  });

  it.each([
    ['absent', true],
    ['complete', true],
    ['held', false],
    ['heldDiscarded', false],
    ['discarded', true],
    ['purging', true],
    ['processing', false],
    ['fetching', false],
  ])('%s: whether the image of a slot may end is %s', (name, may) => {
    const state = states[name]!;
    const assetId = currentAsset(state);
    expect(endableImages(state, [assetId])).toEqual(may ? [assetId] : []);
    const other = newId();
    if (name === 'processing') expect(endableImages(state, [assetId, other])).toEqual([other]);
  });

  it('names the field that it refuses in a re-analysis', () => {
    const empty = decide(states['awaitingMoreImages']!, analyzing(slot, TREADS[1]!), NOW);
    expect(empty).toMatchObject({ refused: 'validation_error', param: 'slots[1].slot' });
    const outside = decide(states['complete']!, analyzing('tire.sidewall.front_left'), NOW);
    expect(outside).toMatchObject({ refused: 'validation_error', param: 'slots[0].slot.image_type' });
  });

  it('measures again with a new fence, and fetches an image again that may be missing', () => {
    const again = analyzeAgain(states['complete']!, [slot]);
    expect(stateOfSlot(again)).toMatchObject({ phase: 'analyzing', replacesSuccess: true });
    expect(currentAsset(again)).toBe(currentAsset(states['complete']!));
    const fetchedAgain = analyzeAgain(states['fetchFailed']!, []);
    expect(stateOfSlot(fetchedAgain)).toMatchObject({ phase: 'fetching', replacesSuccess: false });
    expect(currentAsset(fetchedAgain)).toBe(currentAsset(states['fetchFailed']!));
  });

  it('does not let the answer to an earlier fetch of the same image end a later one', () => {
    const first = created('tire_4t_0s', [slot]);
    const late = fetching(first, 'image_unreachable');
    const second = analyzeAgain(fetched(first, slot, 'image_unreachable'), []);
    expect(decide(second, late, NOW)).toEqual([]);
  });

  it('clears the measurements of a discarded report, and everything of a purged one', () => {
    const cleared = states['cleared']!;
    expect(cleared).toMatchObject({ lifecycle: 'discarded', cleared: true, report: { slots: [], revision: null, content: null } });
    expect(apply(states['purging']!, { type: 'finishRemoval' })).toEqual({ lifecycle: 'absent' });
  });

  it('accepts a whole registration or nothing of it', () => {
    const state = withResult(created('tire_4t_0s'), slot);
    const images = [TREADS[1]!, slot].map((slotId) => ({ slotId, assetId: newId(), analysisId: newId() }));
    const decision = decide(state, { type: 'registerImages', replace: false, images, revisionId: newId() }, NOW);
    expect(decision).toMatchObject({ refused: 'slot_already_succeeded', param: 'images[1].slot' });
  });

  it('replaces a pending or failed image by a newer one, and ignores the older attempt', () => {
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

  it('gives a new revision a later id than the last one, whatever the clock of this process shows', () => {
    const replacing = states['replacing']!;
    const command = { ...finishing(currentAnalysis(replacing)), revisionId: newId(0) } as ReportCommand;
    const ids = [replacing, apply(replacing, command)].map((state) => timeOfId(opened(state).revision!.revisionId).getTime());
    expect(ids[1]).toBe(ids[0]! + 1);
  });

  it.each([
    ['2026-11-01T08:59:58.000Z', '2026-11-01T08:59:58.000Z'],
    ['2026-11-01T09:00:07.000Z', NOW.toISOString()],
    ['not a time', NOW.toISOString()],
  ])('a slot whose worker reports its end at %s ended at %s', (completedAt, expected) => {
    const state = states['processing']!;
    const analysis = finished(slot, currentAnalysis(state), undefined, completedAt);
    expect(decide(state, { type: 'recordAnalysis', analysis, revisionId: newId() }, NOW)).toMatchObject([{ type: 'slotEnded', analysis }]);
    expect(JSON.parse(analysis.json)).toMatchObject({ completed_at: expected });
  });
});
