import { dueAt, isLate, sendableAt, sendableUntil, sixMonthsAfter } from './reminder';

const SEOUL = 'Asia/Seoul';

it.each([
  ['2026-11-27', '2027-05-27'],
  ['2026-08-31', '2027-02-28'],
  ['2027-08-31', '2028-02-29'],
  ['2026-12-31', '2027-06-30'],
  ['2026-03-01', '2026-09-01'],
])('six months after %s is %s', (day, later) => {
  expect(sixMonthsAfter(day)).toBe(later);
});

it.each([
  ['a later day', SEOUL, '2027-05-27', '2026-11-27T01:00:00Z', '2027-05-27T01:00:00.000Z'],
  ['today: tomorrow', SEOUL, '2026-11-27', '2026-11-27T01:00:00Z', '2026-11-28T01:00:00.000Z'],
  ['a day that is over: tomorrow', SEOUL, '2020-01-01', '2026-11-27T16:00:00Z', '2026-11-29T01:00:00.000Z'],
  ['in another zone', 'America/New_York', '2026-12-24', '2026-11-27T01:00:00Z', '2026-12-24T15:00:00.000Z'],
  ['the day on which summer time begins', 'America/New_York', '2027-03-14', '2026-11-27T01:00:00Z', '2027-03-14T14:00:00.000Z'],
  ['the day on which it ends', 'America/New_York', '2027-11-07', '2026-11-27T01:00:00Z', '2027-11-07T15:00:00.000Z'],
])('is due at ten on %s', (_, zone, day, now, due) => {
  expect(dueAt(zone, day, new Date(now)).toISOString()).toBe(due);
});

it.each([
  ['at noon', SEOUL, '2026-11-27T03:00:00.000Z', '2026-11-27T03:00:00.000Z'],
  ['at 7:59', SEOUL, '2026-11-26T22:59:00.000Z', '2026-11-26T23:00:00.000Z'],
  ['at 8:00', SEOUL, '2026-11-26T23:00:00.000Z', '2026-11-26T23:00:00.000Z'],
  ['at 20:59', SEOUL, '2026-11-27T11:59:00.000Z', '2026-11-27T11:59:00.000Z'],
  ['at 21:00', SEOUL, '2026-11-27T12:00:00.000Z', '2026-11-27T23:00:00.000Z'],
  ['after midnight', SEOUL, '2026-11-27T16:00:00.000Z', '2026-11-27T23:00:00.000Z'],
  ['in another zone', 'America/New_York', '2026-11-27T03:00:00.000Z', '2026-11-27T13:00:00.000Z'],
  ['at 8:00 in spring', 'America/New_York', '2027-03-14T12:00:00.000Z', '2027-03-14T12:00:00.000Z'],
  ['at 7:59 in autumn', 'America/New_York', '2027-11-07T12:59:00.000Z', '2027-11-07T13:00:00.000Z'],
  ['at 21:00 in spring', 'America/New_York', '2027-03-15T01:00:00.000Z', '2027-03-15T12:00:00.000Z'],
  ['at 20:59 in autumn', 'America/New_York', '2027-11-08T01:59:00.000Z', '2027-11-08T01:59:00.000Z'],
])('goes out by day: %s', (_, zone, now, at) => {
  expect(sendableAt(zone, new Date(now)).toISOString()).toBe(at);
});

it('is not sent after 21 o’clock, and not a month late', () => {
  const noon = new Date('2026-11-27T03:00:00Z');
  expect(sendableUntil(SEOUL, noon).toISOString()).toBe('2026-11-27T12:00:00.000Z');
  expect(sendableUntil('America/New_York', new Date('2027-03-14T16:00:00Z')).toISOString()).toBe('2027-03-15T01:00:00.000Z');
  expect(sendableUntil('America/New_York', new Date('2027-11-07T16:00:00Z')).toISOString()).toBe('2027-11-08T02:00:00.000Z');
  expect(isLate(noon, new Date('2026-12-27T03:00:00Z'))).toBe(false);
  expect(isLate(noon, new Date('2026-12-27T03:00:01Z'))).toBe(true);
});
