export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: 'unanswered'; readonly reason: string };

export type NextStep =
  { readonly kind: 'delivered' } | { readonly kind: 'retry'; readonly at: Date } | { readonly kind: 'abandoned'; readonly reason: string };

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const FIRST_DELAY_MS = 5 * SECOND_MS;
const GROWTH = 4;
// 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, then every 6 h: a deployment is bridged at once, a weekend too.
const LONGEST_DELAY_MS = 6 * HOUR_MS;
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** `jitter` is between 0 and 1: the delay varies by a fifth either way, so that receivers that fell together are not called together. */
export function nextStep(attempt: number, outcome: AttemptOutcome, queuedAt: Date, now: Date, jitter: number): NextStep {
  if (outcome.kind === 'answered') {
    if (outcome.status >= 200 && outcome.status < 300) return { kind: 'delivered' };
    if (outcome.status === 410) return { kind: 'abandoned', reason: 'gone' };
  }
  const backoffMs = Math.min(FIRST_DELAY_MS * GROWTH ** (attempt - 1), LONGEST_DELAY_MS) * (0.8 + 0.4 * jitter);
  const askedMs = outcome.kind === 'answered' ? retryAfterMs(outcome.retryAfter, now) : 0;
  const at = new Date(now.getTime() + Math.round(Math.max(backoffMs, askedMs)));
  return at.getTime() > queuedAt.getTime() + GIVE_UP_AFTER_MS ? { kind: 'abandoned', reason: 'given_up' } : { kind: 'retry', at };
}

/** Seconds or an HTTP date; anything else asks for nothing. */
function retryAfterMs(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND_MS;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - now.getTime());
}
