export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: 'unanswered'; readonly reason: string };

export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: Date }
  | { readonly kind: 'abandoned'; readonly reason: string };

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const FIRST_DELAY_MS = 5 * SECOND_MS;
const GROWTH = 4;
// 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, then every 6 h. Covers a deployment and a weekend.
const LONGEST_DELAY_MS = 6 * HOUR_MS;
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;
// A Retry-After of more than a day is a mistake more often than a plan.
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;
// The guard refuses the address. Waiting does not help: a person corrects the name or the address and sends the callback again.
const NEVER_CALLED = new Set(['forbidden', 'bad_url']);
/** The attempt failed on purpose, without a call, because a well-known photograph of the sandbox wants it. */
export const ON_PURPOSE = { kind: 'unanswered', reason: 'sandbox' } as const;
const ON_PURPOSE_DELAY_MS = SECOND_MS;

/**
 * `jitter` is between 0 and 1. The delay varies by a fifth either way, so that receivers that failed together are not called together.
 * Retry-After delays the next attempt, but never beyond the time of the last one.
 */
export function nextStep(attempt: number, outcome: AttemptOutcome, startedAt: Date, now: Date, jitter: number): NextStep {
  if (outcome.kind === 'answered') {
    if (outcome.status >= 200 && outcome.status < 300) return { kind: 'delivered' };
    if (outcome.status === 410) return { kind: 'abandoned', reason: 'gone' };
  } else if (outcome.reason === ON_PURPOSE.reason) return { kind: 'retry', at: new Date(now.getTime() + ON_PURPOSE_DELAY_MS) };
  else if (NEVER_CALLED.has(outcome.reason)) return { kind: 'abandoned', reason: outcome.reason };
  const lastMs = startedAt.getTime() + GIVE_UP_AFTER_MS;
  const backoffMs = Math.min(FIRST_DELAY_MS * GROWTH ** (attempt - 1), LONGEST_DELAY_MS) * (0.8 + 0.4 * jitter);
  const ownMs = now.getTime() + Math.round(backoffMs);
  if (ownMs > lastMs) return { kind: 'abandoned', reason: 'given_up' };
  const requestedMs = outcome.kind === 'answered' ? Math.min(retryAfterMs(outcome.retryAfter, now), RETRY_AFTER_MAX_MS) : 0;
  return { kind: 'retry', at: new Date(Math.max(ownMs, Math.min(now.getTime() + requestedMs, lastMs))) };
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds or an HTTP date. Any other value counts as no delay. */
function retryAfterMs(value: string | null, now: Date): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  return HTTP_DATE.test(text) ? Math.max(0, Date.parse(text) - now.getTime()) || 0 : 0;
}
