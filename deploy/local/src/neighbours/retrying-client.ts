import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from '../client';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;
const JITTER = 0.5;
const REFUSED_FOR_NOW = [429, 503];

/** A request that is still refused, or still without an answer, when its report counts as lost. */
export class StillRefused extends Error {
  override name = 'StillRefused';
}

interface RetryOptions {
  /** The request counts as lost after this time from now on. */
  readonly lostAfterMs: number;
  readonly send?: Send;
  readonly nowMs?: () => number;
  readonly random?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

export interface RetryingClient {
  readonly fetch: Send;
  /** Requests that were refused and sent again. */
  readonly refused: number;
}

/** A creation whose first request still runs is refused by 409 with Retry-After. Other conflicts are answers. */
const isRefusedForNow = ({ status, headers }: Response): boolean =>
  REFUSED_FOR_NOW.includes(status) || (status === 409 && headers.has('retry-after'));

const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);

/**
 * Sends as the specification requires of a client: what is refused for now, or finds no connection, is sent again with the same headers and
 * body, after Retry-After, with exponential backoff and jitter.
 */
export function retryingClient({
  lostAfterMs,
  send = fetch,
  nowMs = () => performance.now(),
  random = Math.random,
  pause = sleep,
}: RetryOptions): RetryingClient {
  const lostMs = nowMs() + lostAfterMs;
  let refused = 0;

  const attempt = async (url: string, init: RequestInit): Promise<Response | string> => {
    try {
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(lostMs - nowMs())));
      return await send(url, { ...init, signal });
    } catch (error) {
      return causeOf(error as Error);
    }
  };

  const retryingFetch: Send = async (url, init = {}) => {
    for (let backoffMs = FIRST_PAUSE_MS; ; backoffMs = Math.min(LONGEST_PAUSE_MS, 2 * backoffMs)) {
      const answer = await attempt(url, init);
      if (typeof answer !== 'string' && !isRefusedForNow(answer)) return answer;
      const reason = typeof answer === 'string' ? answer : `answered ${answer.status}`;
      const retryAfterMs = typeof answer === 'string' ? 0 : 1_000 * Number(answer.headers.get('retry-after'));
      const pauseMs = Math.max(backoffMs, retryAfterMs || 0) * (1 + JITTER * random());
      if (nowMs() + pauseMs > lostMs) throw new StillRefused(`${init.method ?? 'GET'} ${new URL(url).pathname}: ${reason}`);
      refused += 1;
      if (typeof answer !== 'string') await answer.body?.cancel();
      await pause(pauseMs);
    }
  };

  return {
    fetch: retryingFetch,
    get refused() {
      return refused;
    },
  };
}
