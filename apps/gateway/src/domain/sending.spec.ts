import { afterAttempt, refusalToSend, type Outcome, type Step } from './sending';

const NOW = new Date('2026-11-27T00:00:00Z');
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const DAY = inMinutes(1_440);

describe('a message after an attempt', () => {
  it.each<[string, number, number, Date, Outcome['kind'], Step]>([
    ['was sent', 1, 0, DAY, 'sent', { state: 'sent' }],
    ['was sent at the last attempt', 7, 1, DAY, 'sent', { state: 'sent' }],
    ['was refused', 1, 0, DAY, 'refused', { state: 'failed', failure: 'refused' }],
    ['waits a minute after the first failure', 1, 0, DAY, 'unavailable', { state: 'queued', nextAt: inMinutes(1) }],
    ['waits longer after each failure', 4, 0, DAY, 'unavailable', { state: 'queued', nextAt: inMinutes(60) }],
    ['is given up after seven attempts', 7, 0, DAY, 'unavailable', { state: 'failed', failure: 'unavailable' }],
    ['is not kept beyond its time', 1, 0, inMinutes(1), 'unavailable', { state: 'failed', failure: 'expired' }],
    ['is sent once more if its outcome is unknown', 1, 0, DAY, 'unknown', { state: 'queued', nextAt: inMinutes(1) }],
    ['is not sent a third time', 2, 1, DAY, 'unknown', { state: 'failed', failure: 'interrupted' }],
  ])('%s', (_, attempts, unknownOutcomes, expiresAt, kind, step) => {
    expect(afterAttempt({ attempts, unknownOutcomes, expiresAt }, { kind }, NOW)).toEqual(step);
  });
});

describe('a message before an attempt', () => {
  it.each([
    ['is sent', 0, DAY, null],
    ['is sent once more after one unknown outcome', 1, DAY, null],
    ['is given up after two processes died with it', 2, DAY, 'interrupted'],
    ['is not sent after its time', 0, NOW, 'expired'],
  ])('%s', (_, unknownOutcomes, expiresAt, refusal) => {
    expect(refusalToSend({ attempts: 1, unknownOutcomes, expiresAt }, NOW)).toBe(refusal);
  });
});
