import { STANDINGS, standingsOf, URGENCIES, VERDICTS } from '@tire/kernel';
import { decide } from './decide';
import { owedFacts } from './handover';
import { happeningsOf } from './history';
import { evolve, type ContentProjection, type Report } from './report';
import { contentFactsOf, NOW, opened, reportStates } from './report.fixture';
import { isNewResult, standingOf } from './standing';

const LATER = new Date(NOW.getTime() + 60_000);

const standingIn = (report: Report) => standingOf(contentFactsOf(report));

describe('the standing of a report', () => {
  it.each([
    ['awaitingImages', 'awaiting_images'],
    ['awaitingMoreImages', 'awaiting_images'],
    ['fetching', 'processing'],
    ['processing', 'processing'],
    ['partial', 'partial'],
    ['failed', 'failed'],
    ['legacy', 'partial'],
    ['complete', 'unjudged'],
    ['completeWithContent', 'good'],
    ['published', 'good'],
    // What the earlier result said is not shown while it is measured anew.
    ['replacing', 'processing'],
  ])('%s: %s', (name, standing) => {
    expect(standingIn(opened(reportStates()[name]!))).toBe(standing);
  });

  it.each(VERDICTS)('is the verdict %s of the content', (verdict) => {
    const report = opened(reportStates()['complete']!);
    expect(standingIn({ ...report, content: contentOf(report, verdict) })).toBe(verdict);
  });

  it('is content_failed without content, and unknown in an imported report', () => {
    const report = opened(reportStates()['complete']!);
    const content = { analysisRevision: report.revision!.revisionId, outcome: { kind: 'failed' as const, errorCode: 'internal_error' } };
    expect(standingIn({ ...report, content })).toBe('content_failed');
    expect(standingIn({ ...report, identity: { ...report.identity, legacy: true } })).toBe('unknown');
  });

  it('belongs to one urgency', () => {
    expect(URGENCIES.flatMap(standingsOf).toSorted()).toEqual([...STANDINGS].toSorted());
  });
});

describe('a verdict that content did not announce', () => {
  const report = opened(reportStates()['complete']!);
  const held: Report = { ...report, content: contentOf(report, null) };

  it('is asked for, and noted once, without a change of the document', () => {
    expect(owedFacts(held)).toEqual(['content of the revision']);
    const [event, ...more] = decide({ lifecycle: 'open', report: held }, note('critical'), LATER) as Parameters<typeof happeningsOf>[2];
    expect([event?.type, more]).toEqual(['verdictNoted', []]);
    const after = evolve({ lifecycle: 'open', report: held }, event!);
    expect(after).toMatchObject({ report: { updatedAt: held.updatedAt } });
    expect(standingIn(opened(after))).toBe('critical');
    expect(owedFacts(opened(after))).not.toContain('content of the revision');
    expect(decide(after, note('critical'), LATER)).toEqual([]);
    expect(decide(after, note(null), LATER)).toEqual([]);
    expect([happeningsOf(held, 'recordContent', [event!]), isNewResult(event!)]).toEqual([[], false]);
  });

  it('may arrive again without it', () => {
    expect(decide({ lifecycle: 'open', report: held }, note(null), LATER)).toEqual([]);
  });

  const note = (verdict: Verdict) => ({ type: 'recordContent' as const, content: contentOf(report, verdict) });
});

type Verdict = (typeof VERDICTS)[number] | null;

function contentOf(report: Report, verdict: Verdict): ContentProjection {
  const { revisionId: analysisRevision } = report.revision!;
  return { analysisRevision, outcome: { kind: 'ready', contentRevision: report.identity.reportId, etag: 'W/"1"', verdict } };
}
