/** A longer Retry-After is the caller's to wait for: the error has it. */
const RETRY_AFTER_MS_MAX = 120_000;
const DELAY_MS_MAX = 20_000;

export interface RetryPolicy {
  readonly maxRetries: number;
  /** The longest first pause; each further one may be twice as long. */
  readonly retryDelayMs: number;
}

/** Exponential backoff with jitter: between half of the delay and all of it. */
export function backoffMs(attempt: number, { retryDelayMs }: Pick<RetryPolicy, 'retryDelayMs'>): number {
  const fullMs = Math.min(retryDelayMs * 2 ** attempt, DELAY_MS_MAX);
  return fullMs * (0.5 + Math.random() / 2);
}

/** Seconds or an HTTP date. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null || value.trim() === '') return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const ended = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended);
      resolve();
    }, ms);
    signal?.addEventListener('abort', ended, { once: true });
  });
}

export interface Retryable {
  readonly again: boolean;
  readonly retryAfterMs?: number | null;
}

/** Repeats what `judge` allows to repeat, after the pause that the answer asked for or the backoff, whichever is longer. */
export async function withRetries<T>(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
  judge: (error: unknown) => Retryable,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      signal?.throwIfAborted();
      const { again, retryAfterMs } = judge(error);
      if (!again || attempt >= policy.maxRetries || (retryAfterMs ?? 0) > RETRY_AFTER_MS_MAX) throw error;
      await pause(Math.max(retryAfterMs ?? 0, backoffMs(attempt, policy)), signal);
    }
  }
}
