import { cutOf, endsEarlier, isRetention, RETENTION, RETENTION_KINDS, type RetentionKind } from './retention';

describe('the days that a project may choose', () => {
  it.each<[RetentionKind, number | null, boolean]>([
    ['reports', null, true],
    ['reports', 0, true],
    ['reports', 29, false],
    ['reports', 30, true],
    ['reports', 3_650, true],
    ['reports', 3_651, false],
    ['photographs', 0, true],
    ['photographs', 30.5, false],
    ['callbacks', 0, false],
    ['callbacks', 7, true],
    ['callbacks', 6, false],
    ['request_log', 30, true],
    ['request_log', 31, false],
    ['audit_log', -1, false],
    ['usage', Number.NaN, false],
  ])('%s: %s days', (kind, days, allowed) => expect(isRetention(kind, days)).toBe(allowed));

  it('are never none at all, where nothing is kept without an end', () => {
    for (const kind of RETENTION_KINDS) expect([kind, isRetention(kind, 0)]).toEqual([kind, RETENTION[kind].keeps]);
  });
});

describe('what is kept', () => {
  it.each<[RetentionKind, number, number, boolean]>([
    ['reports', 30, 31, true],
    ['reports', 31, 31, false],
    ['reports', 30, 0, true],
    ['reports', 0, 30, false],
    ['request_log', 7, 30, true],
  ])('%s: with %s days it ends earlier than with %s: %s', (kind, days, than, earlier) =>
    expect(endsEarlier(kind, days, than)).toBe(earlier),
  );
});

describe('what has to go', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  it.each<[number, string | null]>([
    [0, null],
    [1, '2026-02-28T00:00:00.000Z'],
    [365, '2025-03-01T00:00:00.000Z'],
  ])('after %s days', (days, cut) => expect(cutOf(days, now)?.toISOString() ?? null).toBe(cut));
});
