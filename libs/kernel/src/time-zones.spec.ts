import { dayIn, isTimeZone, startOfDay } from './time-zones';

it.each([
  ['Asia/Seoul', true],
  ['America/Argentina/Buenos_Aires', true],
  ['UTC', true],
  ['Asia/Soul', false],
  ['+09:00', false],
  ['asia/seoul', false],
  ["Asia/Seoul'; DROP TABLE", false],
  ['', false],
])('%s is a time zone: %s', (name, is) => expect(isTimeZone(name)).toBe(is));

it.each([
  ['Asia/Seoul', '2026-11-21', '2026-11-20T15:00:00.000Z'],
  ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  // The clocks go from 24:00 to 1:00: the day has no midnight.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  // The clocks go from 1:00 back to 0:00: the day has two midnights.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // Samoa left the day out.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
])('the day in %s, %s, begins at %s', (zone, day, start) => expect(startOfDay(zone, day).toISOString()).toBe(start));

it('every day of a year begins where the day before ends', () => {
  for (const zone of ['Asia/Seoul', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])
    for (let index = 0; index < 366; index++) {
      const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
      const start = startOfDay(zone, day);
      expect([dayIn(zone, start), dayIn(zone, new Date(start.getTime() - 1)) < day]).toEqual([day, true]);
    }
});
