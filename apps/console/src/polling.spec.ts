import { reportFollowedMs, shareFollowedMs } from '../web/api/polling';

const AT = Date.parse('2026-11-21T04:05:06Z');
const WHOLE = {
  analysis_status: 'complete',
  summary_status: 'complete',
  publication_status: 'unpublished',
  timestamps: { analysis_completed_at: new Date(AT).toISOString() },
} as const;
const SHARE = { status: 'closed' } as const;

describe('polling', () => {
  it.each([
    ['continues while it is measured', { ...WHOLE, analysis_status: 'processing', summary_status: 'pending' }, 0, true],
    ['continues while its content is written', { ...WHOLE, summary_status: 'pending' }, 0, true],
    ['continues until it is published', WHOLE, 59_000, true],
    ['stops after a minute without publication', WHOLE, 60_000, false],
    ['stops when it is published', { ...WHOLE, publication_status: 'published' }, 0, false],
    ['stops while it waits for images', { ...WHOLE, analysis_status: 'awaiting_images', summary_status: 'pending' }, 0, false],
    ['stops when it has failed', { ...WHOLE, analysis_status: 'failed', summary_status: 'failed' }, 0, false],
  ] as const)('of a report %s', (_, report, afterMs, follows) => expect(reportFollowedMs(report, AT + afterMs) !== false).toBe(follows));

  it.each([
    ['continues until it opens again', { ...WHOLE, publication_status: 'published' }, SHARE, true],
    ['stops when it is open', { ...WHOLE, publication_status: 'published' }, { status: 'active' }, false],
    ['stops while it waits for a person', WHOLE, SHARE, false],
    ['stops while it waits for the content', { ...WHOLE, publication_status: 'published', summary_status: 'pending' }, SHARE, false],
  ] as const)('of a share page %s', (_, report, share, follows) => expect(shareFollowedMs(report, share) !== false).toBe(follows));
});
