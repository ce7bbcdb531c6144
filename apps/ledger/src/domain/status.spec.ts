import {
  FAILED,
  SIDEWALLS,
  TREADS,
  contentFactsOf,
  contentReady,
  created,
  opened,
  register,
  reportStates,
  withResult,
} from './report.fixture';
import type { ReportState } from './report';
import { analysisStatus, contentState, isPublicationStatus, summaryStatus } from './status';

const statesOf = (names: readonly string[], succeed: boolean) => (state: ReportState) =>
  names.reduce((next, id) => withResult(next, id as (typeof TREADS)[number], succeed ? undefined : FAILED), state);

describe('analysis status', () => {
  it.each([
    ['nothing registered', 0, 0, 0, 0, 'awaiting_images'],
    ['some treads', 2, 0, 0, 0, 'awaiting_images'],
    ['all treads, one sidewall', 4, 1, 0, 0, 'awaiting_images'],
    ['all treads, two sidewalls', 4, 2, 0, 0, 'complete'],
    ['all treads, two sidewalls and a failed one', 4, 2, 0, 1, 'complete'],
    ['all treads, all sidewalls', 4, 4, 0, 0, 'complete'],
    ['all treads, failed sidewalls', 4, 0, 0, 2, 'partial'],
    ['one tread failed', 3, 2, 1, 0, 'partial'],
    ['a failed tread alone', 0, 0, 1, 0, 'failed'],
    ['every registered slot failed', 0, 0, 4, 4, 'failed'],
  ])('%s', (_, treads, sidewalls, failedTreads, failedSidewalls, status) => {
    const succeeded = statesOf([...TREADS.slice(0, treads), ...SIDEWALLS.slice(0, sidewalls)], true)(created('tire_4t_2s'));
    const failedIds = [...TREADS.slice(treads, treads + failedTreads), ...SIDEWALLS.slice(sidewalls, sidewalls + failedSidewalls)];
    expect(analysisStatus(opened(statesOf(failedIds, false)(succeeded)))).toBe(status);
  });

  it('is processing while any registered slot is pending', () => {
    for (const state of Object.values(reportStates())) {
      if (state.lifecycle !== 'open') continue;
      expect(analysisStatus(opened(register(state, TREADS[0]!, true)))).toBe('processing');
    }
  });
});

describe('content and summary', () => {
  it.each([
    ['awaitingImages', 'pending', 'pending'],
    ['legacy', 'unavailable', 'partial'],
    ['awaitingMoreImages', 'pending', 'pending'],
    ['fetching', 'pending', 'pending'],
    ['processing', 'pending', 'pending'],
    ['partial', 'failed', 'partial'],
    ['failed', 'failed', 'failed'],
    ['complete', 'pending', 'pending'],
    ['completeWithContent', 'ready', 'complete'],
    ['published', 'ready', 'complete'],
    ['replacing', 'pending', 'pending'],
  ])('%s: content %s, summary %s', (name, content, summary) => {
    const report = opened(reportStates()[name]!);
    expect(contentState(contentFactsOf(report)).status).toBe(content);
    expect(summaryStatus(contentFactsOf(report))).toBe(summary);
  });

  it('has no content after an incomplete analysis', () => {
    expect(contentState(contentFactsOf(opened(reportStates()['partial']!)))).toEqual({
      status: 'failed',
      errorCode: 'content_source_incomplete',
    });
  });

  it('fails the summary when content generation failed', () => {
    const complete = opened(reportStates()['complete']!);
    const content = { analysisRevision: complete.revision!.revisionId, outcome: { kind: 'failed' as const, errorCode: 'internal_error' } };
    expect(contentState(contentFactsOf({ ...complete, content }))).toEqual({ status: 'failed', errorCode: 'internal_error' });
    expect(summaryStatus(contentFactsOf({ ...complete, content }))).toBe('failed');
  });

  it('does not show the content of an older revision', () => {
    const report = opened(contentReady(reportStates()['complete']!));
    const newer = { ...report, revision: { ...report.revision!, revisionId: 'another' } };
    expect(contentState(contentFactsOf(newer))).toEqual({ status: 'pending' });
  });

  it('has the publication statuses of the contract', () => {
    expect(['unpublished', 'published', 'revoked', 'toString', ''].filter(isPublicationStatus)).toEqual([
      'unpublished',
      'published',
      'revoked',
    ]);
  });
});
