import { nextStep, ON_PURPOSE } from './callback-schedule';

const QUEUED = new Date('2026-10-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(QUEUED.getTime() + ms);
const answered = (status: number, retryAfter: string | null = null) => ({ kind: 'answered', status, retryAfter }) as const;

describe('callback schedule', () => {
  it.each([200, 202, 204, 299])('%s counts as delivered', (status) => {
    expect(nextStep(1, answered(status), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'delivered' });
  });

  it('a failure on purpose is soon followed by the next attempt, however many came before', () => {
    for (const attempt of [1, 2]) expect(nextStep(attempt, ON_PURPOSE, QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(1_000) });
  });

  it('410 stops the retries', () => {
    expect(nextStep(1, answered(410), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'abandoned', reason: 'gone' });
  });

  it.each(['forbidden', 'bad_url'])('an address that is %s stops the retries immediately', (reason) => {
    expect(nextStep(1, { kind: 'unanswered', reason }, QUEUED, QUEUED, 0.5)).toEqual({ kind: 'abandoned', reason });
  });

  it.each(['timeout', 'unreachable', 'too_large'])('%s is retried', (reason) => {
    expect(nextStep(1, { kind: 'unanswered', reason }, QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(5_000) });
  });

  it.each([301, 307, 400, 404, 429, 500, 503])('%s is retried', (status) => {
    expect(nextStep(1, answered(status), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(5_000) });
  });

  it('varies by a fifth either way', () => {
    const unanswered = { kind: 'unanswered', reason: 'timeout' } as const;
    expect(nextStep(1, unanswered, QUEUED, QUEUED, 0)).toEqual({ kind: 'retry', at: later(4_000) });
    expect(nextStep(1, unanswered, QUEUED, QUEUED, 1)).toEqual({ kind: 'retry', at: later(6_000) });
  });

  it('waits as long as `Retry-After`, and never shorter than its own backoff', () => {
    expect(nextStep(1, answered(503, '120'), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(120_000) });
    expect(nextStep(1, answered(503, 'Thu, 01 Oct 2026 00:10:00 GMT'), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(600_000) });
    expect(nextStep(1, answered(503, '1'), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(5_000) });
  });

  it.each(['soon', '', '-5', '1.5', '0x10', '1e3', 'Thu, 99 Xyz 2026 00:10:00 GMT', 'Wed, 30 Sep 2026 00:00:00 GMT'])(
    'ignores Retry-After: %s',
    (text) => {
      expect(nextStep(1, answered(503, text), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(5_000) });
    },
  );

  it.each(['9999999999999999999999', '604800', 'Thu, 31 Dec 2099 23:59:59 GMT'])(
    'waits a day at most, even for Retry-After: %s',
    (text) => {
      expect(nextStep(1, answered(503, text), QUEUED, QUEUED, 0.5)).toEqual({ kind: 'retry', at: later(24 * HOUR_MS) });
    },
  );

  it('uses the last moment if Retry-After is later than the end', () => {
    const late = later(60 * HOUR_MS);
    expect(nextStep(9, answered(503, '86400'), QUEUED, late, 0.5)).toEqual({ kind: 'retry', at: later(72 * HOUR_MS) });
    expect(nextStep(9, answered(503, '1'), QUEUED, later(67 * HOUR_MS), 0.5)).toEqual({ kind: 'abandoned', reason: 'given_up' });
  });

  it('ends within three days, with retries until the end', () => {
    let now = QUEUED;
    let attempts = 0;
    for (;;) {
      attempts += 1;
      const step = nextStep(attempts, { kind: 'unanswered', reason: 'unreachable' }, QUEUED, now, 0.5);
      if (step.kind !== 'retry') {
        expect(step).toEqual({ kind: 'abandoned', reason: 'given_up' });
        break;
      }
      now = step.at;
    }
    const hours = (now.getTime() - QUEUED.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(60);
    expect(hours).toBeLessThanOrEqual(72);
    expect(attempts).toBeGreaterThan(10);
  });
});
