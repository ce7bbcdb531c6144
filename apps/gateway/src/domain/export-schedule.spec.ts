import { EXPORT_ATTEMPTS_MAX } from '@tire/contracts/limits';
import { boundsOf, dueAt, faultOfAnswer, fileName, isMailed, nextAttemptAt, oldestPeriod, periodAfter, periodOf } from './export-schedule';

const SEOUL = 'Asia/Seoul';

describe('periods', () => {
  it.each([
    ['daily', '2026-11-27', '2026-11-27', '2026-11-27', '2026-11-28'],
    ['daily', '2026-12-31', '2026-12-31', '2026-12-31', '2027-01-01'],
    ['weekly', '2026-11-23', '2026-11-23', '2026-11-29', '2026-11-30'],
    ['weekly', '2026-11-29', '2026-11-23', '2026-11-29', '2026-11-30'],
    ['weekly', '2027-01-01', '2026-12-28', '2027-01-03', '2027-01-04'],
    ['monthly', '2026-11-27', '2026-11-01', '2026-11-30', '2026-12-01'],
    ['monthly', '2028-02-29', '2028-02-01', '2028-02-29', '2028-03-01'],
    ['monthly', '2026-12-31', '2026-12-01', '2026-12-31', '2027-01-01'],
  ] as const)('%s with %s: from %s to %s, then from %s', (frequency, day, firstDay, lastDay, next) => {
    const period = periodOf(frequency, day);
    expect(period).toEqual({ firstDay, lastDay });
    expect(periodAfter(frequency, period).firstDay).toBe(next);
  });

  it.each([
    [SEOUL, '2026-11-26', '2026-11-26T20:00:00.000Z', '2026-11-25T15:00:00.000Z', '2026-11-26T15:00:00.000Z'],
    ['UTC', '2026-11-26', '2026-11-27T05:00:00.000Z', '2026-11-26T00:00:00.000Z', '2026-11-27T00:00:00.000Z'],
    // The clocks go forward at 2:00: the day has 23 hours.
    ['America/New_York', '2026-03-08', '2026-03-09T09:00:00.000Z', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ])('in %s the file of %s is made at %s and has %s to %s', (zone, day, due, from, before) => {
    const period = periodOf('daily', day);
    expect(dueAt(zone, period).toISOString()).toBe(due);
    expect(boundsOf(zone, period)).toEqual({ from: new Date(from), before: new Date(before) });
  });

  it.each([
    ['daily', '2026-11-20', '2026-11-20'],
    ['daily', '2026-01-01', '2026-10-28'],
    ['weekly', '2026-01-01', '2026-10-26'],
    ['monthly', '2026-01-01', '2026-10-01'],
  ] as const)('after an outage since %s %s the next period begins on %s', (frequency, since, firstDay) => {
    expect(oldestPeriod(frequency, since, SEOUL, new Date('2026-11-27T03:00:00Z')).firstDay).toBe(firstDay);
  });
});

it('a file has one name for a period and a schedule', () => {
  const schedule = { kind: 'reports', frequency: 'weekly', format: 'xlsx', scheduleId: '01978a34-5c00-7000-8000-0000000000ab' } as const;
  expect(fileName(schedule, periodOf('weekly', '2026-11-27'))).toBe('reports-weekly-2026-11-23-000000ab.xlsx');
});

describe('attempts', () => {
  const NOW = new Date('2026-11-27T03:00:00Z');
  const minutesUntil = (attempts: number) => {
    const next = nextAttemptAt(attempts, 'bucket_timeout', NOW);
    return next && (next.getTime() - NOW.getTime()) / 60_000;
  };

  it('are further and further apart, and end after a day', () => {
    const pauses = Array.from({ length: EXPORT_ATTEMPTS_MAX }, (_, index) => minutesUntil(index + 1));
    expect(pauses).toEqual([1, 5, 15, 60, 180, 360, 840, null]);
    expect(minutesUntil(EXPORT_ATTEMPTS_MAX + 1)).toBeNull();
  });

  it('end at once where another one would give the same', () => expect(nextAttemptAt(1, 'too_large', NOW)).toBeNull());

  it.each([
    [1, 'bucket_refused', false],
    [3, 'bucket_refused', false],
    [4, 'bucket_refused', true],
    [5, 'bucket_refused', false],
    [8, 'bucket_refused', false],
    [1, 'too_large', true],
    [4, 'too_large', true],
  ] as const)('attempt %i that failed with %s is mailed: %s', (attempts, fault, is) => expect(isMailed(attempts, fault)).toBe(is));
});

it.each([
  [200, '', null],
  [204, '', null],
  [403, '', 'bucket_refused'],
  [401, '', 'bucket_refused'],
  [404, '', 'bucket_missing'],
  [301, '', 'bucket_error'],
  [400, '', 'bucket_error'],
  [503, '', 'bucket_error'],
  [0, 'forbidden', 'bucket_forbidden'],
  [0, 'bad_url', 'bucket_forbidden'],
  [0, 'timeout', 'bucket_timeout'],
  [0, 'unreachable', 'bucket_unreachable'],
  [0, 'too_large', 'bucket_unreachable'],
])('the answer %i %s means %s', (status, reason, fault) => expect(faultOfAnswer(status, reason)).toBe(fault));
