import { vehicleLinkStatus } from './vehicle-link';

const NOW = new Date('2026-11-27T00:00:00Z');
const before = new Date(NOW.getTime() - 1);
const after = new Date(NOW.getTime() + 1);

it.each([
  [after, null, 'active'],
  [NOW, null, 'expired'],
  [before, null, 'expired'],
  [after, before, 'revoked'],
  [before, before, 'revoked'],
] as const)('expires %p, revoked %p: %s', (expiresAt, revokedAt, status) => {
  expect(vehicleLinkStatus({ expiresAt, revokedAt }, NOW)).toBe(status);
});
