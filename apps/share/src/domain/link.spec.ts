import { linkStatus } from './link';

const NOW = new Date('2026-10-01T09:00:00Z');
const LATER = new Date('2026-10-02T09:00:00Z');
const fresh = { expiresAt: LATER, revokedAt: null };
const complete = { analysisStatus: 'complete', contentRevision: 'c1' };

describe('share link', () => {
  it.each([
    ['active', fresh, 'c1', complete],
    ['closed', fresh, null, complete],
    ['closed', fresh, 'c1', { ...complete, analysisStatus: 'processing' }],
    ['closed', fresh, 'c1', { ...complete, contentRevision: 'c2' }],
    ['closed', fresh, 'c1', { ...complete, contentRevision: null }],
    ['closed', fresh, 'c1', null],
    ['expired', { ...fresh, expiresAt: NOW }, 'c1', complete],
    ['revoked', { ...fresh, revokedAt: NOW }, 'c1', complete],
    ['revoked', { expiresAt: NOW, revokedAt: NOW }, null, null],
  ] as const)('is %s for %j, published %s, current %j', (status, link, published, current) => {
    expect(linkStatus(link, published, current, NOW)).toBe(status);
  });
});
