import { happeningsOf } from './history';
import { created, opened, tokenOf } from './report.fixture';
import type { PublicationProjection } from './report';

const link = (token: string) => ({ token: tokenOf(token), expiresAt: null });

/** The entries for a publication that changes from one to the other. */
function entries(before: Partial<PublicationProjection>, after: Partial<PublicationProjection>): string[] {
  const report = opened(created('tire_4t_2s'));
  const publication = { ...report.publication, link: link('first'), ...before };
  const noted = { type: 'publicationNoted' as const, publication: { ...publication, ...after, version: 9 }, at: report.updatedAt };
  return happeningsOf({ ...report, publication }, 'recordPublication', [noted]).map(({ what }) => what);
}

describe('history of a publication', () => {
  it.each([
    ['judged once more', {}, {}, []],
    ['a link that ends some day', {}, { link: { token: tokenOf('first'), expiresAt: '2027-01-01T00:00:00Z' } }, []],
    ['published', {}, { status: 'published' }, ['published']],
    ['revoked', { status: 'published' }, { status: 'revoked', link: null }, ['share_revoked']],
    [
      'opened again with a new link',
      { status: 'revoked', link: null },
      { status: 'published', link: link('b') },
      ['link_reissued', 'published'],
    ],
    ['a new link', { status: 'published' }, { link: link('second') }, ['link_reissued']],
    ['a link that was taken away before it was published', {}, { link: null }, ['share_revoked']],
  ] as const)('%s', (_, before, after, happened) => {
    expect(entries(before, after)).toEqual(happened);
  });
});
