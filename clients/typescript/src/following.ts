import { ApiError, ConnectionError } from './errors.ts';
import type { Answer } from './http.ts';
import { backoffMs, pause } from './retries.ts';
import type { RequestOptions } from './types.ts';

/** As long as the service waits at most. */
export const WAIT_SECONDS = 25;
const RETRY_DELAY_MS = 500;
/** The pause grows no further: it is 20 seconds then. */
const ATTEMPTS_COUNTED = 10;

export interface FollowOptions extends RequestOptions {
  /** `next_cursor` of an earlier part. Without it, from now on. */
  readonly after?: string;
  /** Told of a fault that passes: the connection was lost, or the service had no room. The next attempt follows after a pause. */
  readonly onInterruption?: (error: ApiError | ConnectionError) => void;
}

const passes = (error: unknown): error is ApiError | ConnectionError =>
  error instanceof ConnectionError || (error instanceof ApiError && error.retryable);

/**
 * Reads on from each answer's cursor, for as long as the iteration lasts. An answer that was lost is read again, so nothing is missed and
 * nothing comes twice. The first part is empty: it tells where the iteration begins.
 */
export async function* follow<Part extends { readonly next_cursor: string }>(
  read: (after: string | undefined, options: RequestOptions) => Promise<Answer<Part>>,
  isEmpty: (part: Part) => boolean,
  { after, signal, onInterruption }: FollowOptions,
): AsyncGenerator<Part, void, undefined> {
  let attempt = 0;
  for (let cursor = after; ;) {
    let part: Part;
    try {
      part = (await read(cursor, { signal })).body;
      attempt = 0;
    } catch (error) {
      signal?.throwIfAborted();
      if (!passes(error)) throw error;
      onInterruption?.(error);
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      await pause(Math.max(retryAfterMs, backoffMs(attempt, { retryDelayMs: RETRY_DELAY_MS })), signal);
      attempt = Math.min(attempt + 1, ATTEMPTS_COUNTED);
      continue;
    }
    const begins = cursor === undefined;
    cursor = part.next_cursor;
    if (begins || !isEmpty(part)) yield part;
  }
}
