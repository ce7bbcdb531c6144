import { reportFollowedMs, shareFollowedMs } from '../web/api/polling';

const AT = Date.parse('2026-11-21T04:05:06Z');
const WHOLE = {
  analysis_status: 'complete',
  summary_status: 'complete',
  publication_status: 'unpublished',
  timestamps: { analysis_completed_at: new Date(AT).toISOString() },
} as const;
const SHARE = { status: 'closed' } as const;

describe('a page follows the work of the service', () => {
  it.each([
    ['while it measures', { ...WHOLE, analysis_status: 'processing', summary_status: 'pending' }, 0, true],
    ['while the content is written', { ...WHOLE, summary_status: 'pending' }, 0, true],
    ['until it is published', WHOLE, 59_000, true],
    ['not for ever, where nobody publishes', WHOLE, 60_000, false],
    ['not when it is published', { ...WHOLE, publication_status: 'published' }, 0, false],
    ['not while it waits for photographs', { ...WHOLE, analysis_status: 'awaiting_images', summary_status: 'pending' }, 0, false],
    ['not when it failed', { ...WHOLE, analysis_status: 'failed', summary_status: 'failed' }, 0, false],
  ] as const)('%s', (_, report, afterMs, follows) => expect(reportFollowedMs(report, AT + afterMs) !== false).toBe(follows));

  it.each([
    ['that is about to open again', { ...WHOLE, publication_status: 'published' }, SHARE, true],
    ['that is open', { ...WHOLE, publication_status: 'published' }, { status: 'active' }, false],
    ['that waits for a person', WHOLE, SHARE, false],
    ['that waits for the content', { ...WHOLE, publication_status: 'published', summary_status: 'pending' }, SHARE, false],
  ] as const)('a share page %s', (_, report, share, follows) => expect(shareFollowedMs(report, share) !== false).toBe(follows));
});
