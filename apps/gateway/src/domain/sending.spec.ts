import {
  afterAttempt,
  IDEMPOTENT_SMS_RETRIES,
  MAIL_RETRIES,
  refusalToSend,
  SMS_RETRIES,
  type Outcome,
  type Retries,
  type Step,
} from './sending';

const NOW = new Date('2026-11-27T00:00:00Z');
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const DAY = inMinutes(1_440);

describe('a message after an attempt', () => {
  it.each<[string, number, number, Date, Outcome['kind'], Step]>([
    ['was sent', 1, 0, DAY, 'sent', { state: 'sent', reference: null }],
    ['was sent at the last attempt', 7, 1, DAY, 'sent', { state: 'sent', reference: null }],
    ['was refused', 1, 0, DAY, 'refused', { state: 'failed', failure: 'refused' }],
    ['waits a minute after the first failure', 1, 0, DAY, 'unavailable', { state: 'queued', nextAt: inMinutes(1) }],
    ['waits longer after each failure', 4, 0, DAY, 'unavailable', { state: 'queued', nextAt: inMinutes(60) }],
    ['is given up after seven attempts', 7, 0, DAY, 'unavailable', { state: 'failed', failure: 'unavailable' }],
    ['is not kept beyond its time', 1, 0, inMinutes(1), 'unavailable', { state: 'failed', failure: 'expired' }],
    ['is sent once more if its outcome is unknown', 1, 0, DAY, 'unknown', { state: 'queued', nextAt: inMinutes(1) }],
    ['may have arrived before its time was over', 1, 0, inMinutes(1), 'unknown', { state: 'failed', failure: 'interrupted' }],
    ['may have arrived before it was not kept', 2, 1, inMinutes(5), 'unavailable', { state: 'failed', failure: 'interrupted' }],
    ['may have arrived before the last attempt', 7, 1, DAY, 'unavailable', { state: 'failed', failure: 'interrupted' }],
    ['was refused in the end', 2, 1, DAY, 'refused', { state: 'failed', failure: 'refused' }],
    ['is not sent a third time', 2, 1, DAY, 'unknown', { state: 'failed', failure: 'interrupted' }],
  ])('%s', (_, attempts, unknownOutcomes, expiresAt, kind, step) => {
    expect(afterAttempt({ attempts, unknownOutcomes, expiresAt }, { kind }, MAIL_RETRIES, NOW)).toEqual(step);
  });
});

describe('a message before an attempt', () => {
  it.each([
    ['is sent', 0, DAY, null],
    ['is sent once more after one unknown outcome', 1, DAY, null],
    ['is given up after two processes died with it', 2, DAY, 'interrupted'],
    ['is not sent after its time', 0, NOW, 'expired'],
    ['may have arrived where a process died with it before its time was over', 1, NOW, 'interrupted'],
  ])('%s', (_, unknownOutcomes, expiresAt, refusal) => {
    expect(refusalToSend({ attempts: 1, unknownOutcomes, expiresAt }, MAIL_RETRIES, NOW)).toBe(refusal);
  });
});

describe('a text message', () => {
  it.each<[string, Retries, number, number, Outcome['kind'], Step]>([
    ['is not sent again if its outcome is unknown', SMS_RETRIES, 1, 0, 'unknown', { state: 'failed', failure: 'interrupted' }],
    ['is sent again if the provider recognizes it', IDEMPOTENT_SMS_RETRIES, 1, 0, 'unknown', { state: 'queued', nextAt: inMinutes(1) }],
    ['is repeated once', SMS_RETRIES, 1, 0, 'unavailable', { state: 'queued', nextAt: inMinutes(1) }],
    ['is repeated twice', SMS_RETRIES, 2, 0, 'unavailable', { state: 'queued', nextAt: inMinutes(5) }],
    ['may have arrived before two refusals', IDEMPOTENT_SMS_RETRIES, 3, 1, 'unavailable', { state: 'failed', failure: 'interrupted' }],
    ['is not repeated a third time', SMS_RETRIES, 3, 0, 'unavailable', { state: 'failed', failure: 'unavailable' }],
    [
      'is not repeated a third time, recognized or not',
      IDEMPOTENT_SMS_RETRIES,
      3,
      2,
      'unknown',
      { state: 'failed', failure: 'interrupted' },
    ],
  ])('%s', (_, retries, attempts, unknownOutcomes, kind, step) => {
    expect(afterAttempt({ attempts, unknownOutcomes, expiresAt: DAY }, { kind }, retries, NOW)).toEqual(step);
  });

  it('is given up where a process died with it, unless the provider recognizes it', () => {
    const attempted = { attempts: 2, unknownOutcomes: 1, expiresAt: DAY };
    expect(refusalToSend(attempted, SMS_RETRIES, NOW)).toBe('interrupted');
    expect(refusalToSend(attempted, IDEMPOTENT_SMS_RETRIES, NOW)).toBeNull();
  });

  it('keeps the id of the provider', () => {
    const outcome = { kind: 'sent', reference: 'm-1' } as const;
    expect(afterAttempt({ attempts: 1, unknownOutcomes: 0, expiresAt: DAY }, outcome, SMS_RETRIES, NOW)).toEqual({
      state: 'sent',
      reference: 'm-1',
    });
  });
});
