import { leaseOf, soonEnd } from '../web/api/session-end';

const MINUTE_MS = 60_000;
const READ_AT = Date.parse('2026-11-21T09:00:00Z');
const at = (minutes: number): number => READ_AT + minutes * MINUTE_MS;
const lease = (idleMinutes: number, minutes: number) =>
  leaseOf({ idle_ends_at: new Date(at(idleMinutes)).toISOString(), ends_at: new Date(at(minutes)).toISOString() }, READ_AT);

describe('the end of a session', () => {
  it.each([
    ['is not near right after sign-in', lease(60, 720), 0, 0, null],
    ['is not near while requests continue', lease(60, 720), 100, 150, null],
    ['is shown five minutes before, if there was no request', lease(60, 720), 0, 55, { leftMs: 5 * MINUTE_MS, canStay: true }],
    ['counts from the last request', lease(60, 720), 10, 66, { leftMs: 4 * MINUTE_MS, canStay: true }],
    ['cannot be delayed near the maximum duration', lease(60, 720), 716, 717, { leftMs: 3 * MINUTE_MS, canStay: false }],
    ['cannot be delayed after it has passed', lease(60, 720), 0, 61, { leftMs: -MINUTE_MS, canStay: false }],
    ['is shown for a session that was read in its last minutes', lease(4, 4), 0, 1, { leftMs: 3 * MINUTE_MS, canStay: false }],
  ])('%s', (_, of, heardMinutes, nowMinutes, expected) => expect(soonEnd(of, at(heardMinutes), at(nowMinutes))).toEqual(expected));
});
