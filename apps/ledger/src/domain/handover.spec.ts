import { sandboxPhotograph } from '@tire/kernel';
import { factsOf, handoverKey, owedFacts, reminders, workBegunBy, workOf } from './handover';
import {
  FAILED,
  SIDEWALLS,
  TREADS,
  analyzed,
  contentReady,
  created,
  fetched,
  finished,
  judged,
  opened,
  register,
  reportStates,
  withResult,
} from './report.fixture';
import { decide } from './decide';
import { isRefusal } from './refusal';

const WAITING = { attempts: 0, queuedAt: new Date('2026-11-27T00:00:00Z'), sandbox: null };

describe('hand-overs', () => {
  it('each image is fetched, then measured by the engine of its kind; a request that is repeated has another id', () => {
    const { identity, slots } = opened(fetched(created('tire_4t_2s', [TREADS[0]!, SIDEWALLS[0]!]), SIDEWALLS[0]!));
    const pending = slots.filter(({ state }) => state.phase !== 'empty');
    const requests = [0, 1].flatMap((attempts) => pending.map((slot) => workOf(identity, slot, { ...WAITING, attempts })));
    expect(requests.map(({ event }) => event)).toEqual(['fetchImage', 'analyzeSidewall', 'fetchImage', 'analyzeSidewall']);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(4);
    // The wait of an analysis begins after the fetch, and counts once.
    const requestedAt = [undefined, WAITING.queuedAt.toISOString(), undefined, undefined];
    expect(requests.map(({ message }) => ('requestedAt' in message ? message.requestedAt : undefined))).toEqual(requestedAt);
  });

  it('an empty slot waits for no worker', () => {
    const { identity, slots, updatedAt: at } = opened(created('tire_4t_2s', []));
    expect(workBegunBy(identity, { type: 'reportCreated', identity, slots, analyses: [], at })).toEqual([]);
    expect(() => workOf(identity, slots[0]!, WAITING)).toThrow('no worker');
  });

  it.each([
    ['test', ['sandbox']],
    ['live', ['tire.tread']],
  ] as const)('a well-known photograph of a %s project waits for %j', (projectMode, kinds) => {
    const source = { kind: 'partner_url', url: 'https://images.example/1.jpg', clientAssetId: null } as const;
    const asset = { assetId: 'a', source, sha256: sandboxPhotograph('tread-front-left').sha256 };
    const event = { type: 'analysisRequested', slotId: TREADS[0]!, asset, analysisId: 'a', replacesSuccess: false, at: '' } as const;
    expect(workBegunBy({ projectMode }, event)).toEqual(kinds);
    expect(workBegunBy({ projectMode }, { ...event, asset: { ...asset, sha256: 'of another image' } })).toEqual(['tire.tread']);
  });

  it('the last slot that ends announces the frozen revision', () => {
    const before = register(
      TREADS.slice(1).reduce((state, slotId) => withResult(state, slotId), created('tire_4t_0s')),
      TREADS[0]!,
    );
    const pending = opened(before).slots[0]!.state;
    if (pending.phase !== 'analyzing') throw new Error('not pending');
    const analysis = finished(TREADS[0]!, pending.analysisId);
    const decision = decide(before, { type: 'recordAnalysis', analysis, revisionId: 'r' }, new Date());
    if (isRefusal(decision)) throw new Error('refused');
    const messages = decision.flatMap((event) => factsOf(opened(before).identity, event));
    expect(messages).toMatchObject([{ event: 'analysisEnded', message: { analysisRevision: 'r', analysisStatus: 'complete' } }]);
  });

  it.each([
    ['awaitingImages', null],
    ['awaitingMoreImages', null],
    ['processing', null],
    ['partial', 'content of the revision'],
    ['failed', 'content of the revision'],
    ['complete', 'content of the revision'],
    ['completeWithContent', 'publication of the revision'],
    ['published', null],
    ['replacing', null],
    ['legacy', null],
  ])('%s is owed %j', (name, owed) => {
    expect(owedFacts(opened(reportStates()[name]!))).toEqual(owed === null ? [] : [owed]);
  });

  it.each([
    ['absent', null],
    ['published', null],
    ['discarded', 'removal'],
    ['heldDiscarded', null],
    ['releasedDiscarded', 'removal'],
    ['cleared', null],
    ['purging', 'removal'],
  ])('%s waits for %j', (name, key) => {
    expect(handoverKey(reportStates()[name]!)).toBe(key);
  });

  it('each new revision waits for its own publication, good or bad', () => {
    for (const outcome of [undefined, FAILED]) {
      const ended = analyzed(reportStates()['replacing']!, TREADS[0]!, outcome);
      expect(owedFacts(opened(ended))).toEqual(['content of the revision']);
      expect(owedFacts(opened(contentReady(ended)))).toEqual(['publication of the revision']);
      expect(owedFacts(opened(judged(contentReady(ended), { status: 'revoked' })))).toEqual([]);
    }
  });

  it.each([
    ['an open link', null, null, []],
    ['a finished one', '2026-11-01T10:00:00.000Z', null, ['callback of the capture']],
    ['one whose callback is noted', '2026-11-01T10:00:00.000Z', '2026-11-01T10:00:00.000Z', []],
    ['one that was finished after another one', '2026-11-01T10:00:00.000Z', '2026-11-01T09:30:00.000Z', ['callback of the capture']],
  ])('%s', (_, finishedAt, captureFinishedAt, owed) => {
    const link = { digest: Buffer.alloc(1), language: 'ko', returnUrl: null, expiresAt: '', openedAt: null, revokedAt: null } as const;
    const published = opened(reportStates()['published']!);
    const report = { ...published, capture: { ...link, finishedAt }, publication: { ...published.publication, captureFinishedAt } };
    expect(owedFacts(report)).toEqual(owed);
    const messages = reminders(report, 'later');
    expect(messages.map(({ event, message }) => [event, (message as { finishedAt?: string }).finishedAt])).toEqual(
      owed.map(() => ['captureFinished', finishedAt]),
    );
  });

  it('repeats what is owed of the analysis and of the capture, each', () => {
    const report = opened(reportStates()['completeWithContent']!);
    const capture = { digest: Buffer.alloc(1), language: 'ko', returnUrl: null, expiresAt: '', openedAt: null, revokedAt: null } as const;
    const both = reminders({ ...report, capture: { ...capture, finishedAt: '2026-11-01T10:00:00.000Z' } }, 'later');
    expect(both.map(({ event }) => event)).toEqual(['analysisEnded', 'captureFinished']);
  });

  it('sends each reminder with a new id', () => {
    const report = opened(reportStates()['completeWithContent']!);
    const first = reminders(report, '2026-11-01T09:01:00.000Z');
    const second = reminders(report, '2026-11-01T09:03:00.000Z');
    expect(first).toMatchObject([{ event: 'analysisEnded', message: { analysisStatus: 'complete' } }]);
    // A stream keeps no token.
    expect(JSON.stringify(first)).not.toMatch(/token|callback/i);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(2);
    expect(reminders(opened(reportStates()['legacy']!), 'later')).toEqual([]);
  });
});
