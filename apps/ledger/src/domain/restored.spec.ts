import { newId } from '@tire/kernel';
import { decide } from './decide';
import { reminders } from './handover';
import { NOW, apply, opened, reportStates, tokenOf } from './report.fixture';
import type { Report } from './report';
import { differencesOf, type Held } from './restored';

const states = reportStates();
const published = opened(states['published']!);
const awaiting = opened(states['awaitingImages']!);

const heldAs = ({ content, publication }: Report): Held => ({
  etag: content?.outcome.kind === 'ready' ? content.outcome.etag : null,
  publication: publication.version > 0 ? publication : null,
});
const shared = (report: Report, over: Partial<Report['publication']>): Held => {
  const held = heldAs(report);
  return { ...held, publication: { ...report.publication, ...over } };
};
const withoutLink: Report = { ...published, publication: { ...published.publication, link: null } };
const otherLink = { token: tokenOf('another'), expiresAt: null };
const older = published.publication.version - 1;
const newer = published.publication.version + 1;

describe('what services have after a restore', () => {
  it.each<[string, Report, boolean, Held, string[]]>([
    ['is the same', published, false, heldAs(published), []],
    ['is the same without images', awaiting, true, heldAs(awaiting), []],
    ['lacks the content', published, false, { ...heldAs(published), etag: null }, ['content_lost']],
    ['has another content', published, false, { ...heldAs(published), etag: 'W/"other"' }, ['content_differs']],
    ['lacks the publication', published, false, { ...heldAs(published), publication: null }, ['publication_lost']],
    ['lacks an ended link', withoutLink, false, { ...heldAs(published), publication: null }, ['publication_lost', 'revocation_lost']],
    ['has an ended link', withoutLink, false, shared(published, { version: older }), ['publication_lost', 'revocation_lost']],
    ['has an earlier link', published, false, shared(published, { version: older, link: otherLink }), ['publication_lost', 'link_lost']],
    ['has an earlier state', published, false, shared(published, { version: older, status: 'unpublished' }), ['publication_lost']],
    ['discarded the report', published, false, { etag: null, publication: 'discarded' }, ['removal_lost']],
    ['has another state of the same version', published, false, shared(published, { status: 'revoked' }), ['publication_differs']],
    ['has a later link', published, false, shared(published, { version: newer, link: null }), ['publication_newer']],
    [
      'has a lost result',
      published,
      false,
      shared(published, { version: newer, analysisRevision: newId() }),
      ['publication_newer', 'result_lost'],
    ],
    [
      'has a result that is measured again',
      published,
      true,
      shared(published, { version: newer, analysisRevision: newId() }),
      ['publication_newer'],
    ],
  ])('%s', (_, report, isPending, held, differences) => {
    expect(differencesOf(report, isPending, held)).toEqual(differences);
  });

  it('are believed, and lost content is requested under its id', () => {
    const { content } = published;
    const issued = content?.outcome.kind === 'ready' && content.outcome.contentRevision;
    expect(issued).toBeTruthy();
    const after = opened(apply(states['published']!, { type: 'recordRestored', contentLost: true, publication: null }));
    expect(reminders(after, NOW.toISOString())).toMatchObject([{ event: 'analysisEnded', message: { contentRevision: issued } }]);
    const lost = { ...published.publication, version: 1, status: 'unpublished' as const, analysisRevision: null };
    const behind = opened(apply(states['published']!, { type: 'recordRestored', contentLost: false, publication: lost }));
    expect(behind.publication).toMatchObject({ version: 1, status: 'unpublished' });
    expect(reminders(behind, NOW.toISOString())).toHaveLength(1);
    expect(decide(states['published']!, { type: 'recordPublication', publication: lost }, NOW)).toEqual([]);
  });
});
