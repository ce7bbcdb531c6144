import { handoverKey, messagesOf, owedFacts, reminders, slotMessages } from './handover';
import type { ReportState } from './report';
import {
  SIDEWALLS,
  TREADS,
  analyzed,
  apply,
  contentReady,
  published,
  created,
  fetched,
  measured,
  opened,
  register,
  reportStates,
  withResult,
} from './report.fixture';
import { decide } from './decide';
import { isRefusal } from './refusal';

const acknowledged = (state: ReportState): ReportState =>
  apply(state, { type: 'recordPublication', publication: { version: 1, status: 'unpublished', publishedAt: null, linkActive: true } });

describe('hand-overs', () => {
  it('a creation asks for publication and for every submitted image', () => {
    const state = created('tire_4t_2s', [TREADS[0]!, SIDEWALLS[1]!]);
    const report = opened(state);
    const messages = messagesOf(report.identity, {
      type: 'reportCreated',
      identity: report.identity,
      slots: report.slots,
      at: report.updatedAt,
    });
    expect(messages.map(({ event }) => event)).toEqual(['reportCreated', 'fetchImage', 'fetchImage']);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  });

  it('an image is measured by the engine of its kind', () => {
    const { identity, slots } = opened(fetched(created('tire_4t_2s', [TREADS[0]!, SIDEWALLS[0]!]), SIDEWALLS[0]!));
    const events = slots.flatMap((slot) => slotMessages(identity, slot, 'later').map(({ event }) => event));
    expect(events).toEqual(['fetchImage', 'analyzeSidewall']);
  });

  it('the last slot to end tells of the frozen revision', () => {
    const before = register(
      TREADS.slice(1).reduce((state, slotId) => withResult(state, slotId), created('tire_4t_0s')),
      TREADS[0]!,
    );
    const pending = opened(before).slots[0]!.state;
    if (pending.phase !== 'analyzing') throw new Error('not pending');
    const decision = decide(
      before,
      {
        type: 'recordAnalysis',
        slotId: TREADS[0]!,
        analysisId: pending.analysisId,
        outcome: measured(TREADS[0]!),
        model: 'm',
        completedAt: '',
        revisionId: 'r',
      },
      new Date(),
    );
    if (isRefusal(decision)) throw new Error('refused');
    const messages = decision.flatMap((event) => messagesOf(opened(before).identity, event));
    expect(messages).toMatchObject([{ event: 'analysisEnded', message: { analysisRevision: 'r', analysisStatus: 'complete' } }]);
  });

  it.each([
    ['awaitingImages', []],
    ['awaitingMoreImages', []],
    ['processing', []],
    ['partial', ['content of the revision']],
    ['failed', ['content of the revision']],
    ['complete', ['content of the revision']],
    ['completeWithContent', ['publication of the revision']],
  ])('%s is owed %j', (name, owed) => {
    const state = reportStates()[name]!;
    expect(owedFacts(opened(state))).toEqual(['publication of the report', ...owed]);
    expect(owedFacts(opened(acknowledged(state)))).toEqual(owed);
  });

  it('nothing is owed once a good revision is published, nor while it is measured anew', () => {
    expect(handoverKey(opened(reportStates()['published']!))).toBeNull();
    expect(handoverKey(opened(reportStates()['replacing']!))).toBeNull();
  });

  it('a good re-analysis is owed a newer word of publication, though the page was published before', () => {
    const again = contentReady(analyzed(reportStates()['replacing']!, TREADS[0]!));
    expect(owedFacts(opened(again))).toEqual(['publication of the revision']);
    expect(owedFacts(opened(published(again, 3)))).toEqual([]);
  });

  it('a published report whose re-analysis ends badly is owed a revocation', () => {
    const ended = analyzed(reportStates()['replacing']!, TREADS[0]!, { kind: 'failed', errorCode: 'tread_not_found' });
    const analysisRevision = opened(ended).revision!.revisionId;
    const outcome = { kind: 'failed' as const, errorCode: 'content_source_incomplete' };
    const noted = apply(ended, { type: 'recordContent', content: { analysisRevision, outcome } });
    expect(owedFacts(opened(noted))).toEqual(['publication of the revision']);
    const publication = { version: 3, status: 'revoked' as const, publishedAt: null, linkActive: true };
    expect(owedFacts(opened(apply(noted, { type: 'recordPublication', publication })))).toEqual([]);
  });

  it('reminds of all that is owed, each time under an id of its own', () => {
    const report = opened(reportStates()['completeWithContent']!);
    const first = reminders(report, '2026-11-01T09:01:00.000Z');
    const second = reminders(report, '2026-11-01T09:03:00.000Z');
    expect(first.map(({ event }) => event)).toEqual(['reportCreated', 'analysisEnded']);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4);
  });
});
