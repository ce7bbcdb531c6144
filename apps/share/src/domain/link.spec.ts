import { isValid, linkStatus } from './link';

const NOW = new Date('2026-10-01T09:00:00Z');
const LATER = new Date('2026-10-02T09:00:00Z');
const fresh = { expiresAt: LATER, revokedAt: null };

describe('share link', () => {
  it.each([
    ['active', fresh, 'c1', 'c1'],
    ['closed', fresh, null, 'c1'],
    ['closed', fresh, 'c1', 'c2'],
    ['closed', fresh, 'c1', null],
    ['closed', fresh, null, null],
    ['expired', { ...fresh, expiresAt: NOW }, 'c1', 'c1'],
    ['revoked', { ...fresh, revokedAt: NOW }, 'c1', 'c1'],
    ['revoked', { expiresAt: NOW, revokedAt: NOW }, null, null],
  ] as const)('is %s for %j, published %s, current %s', (status, link, published, current) => {
    expect(linkStatus(link, published, current, NOW)).toBe(status);
    expect(isValid(link, NOW)).toBe(status === 'active' || status === 'closed');
  });
});
