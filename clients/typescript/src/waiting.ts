import { ReportOutcomeError, WaitTimeoutError } from './errors.ts';
import type { Answer } from './http.ts';
import { backoffMs, pause } from './retries.ts';
import type { Report, RequestOptions } from './types.ts';

/**
 * `finished`: the analysis has ended, however. `complete`: with every image that the template needs. `published`: the share page is open.
 * Or your own condition on the report.
 */
export type Until = 'finished' | 'complete' | 'published' | ((report: Report) => boolean);

export interface WaitOptions extends RequestOptions {
  /** For everything, in milliseconds. Five minutes by default. */
  readonly timeoutMs?: number;
  /** The longest first pause between two reads, in milliseconds. 500 by default; each further one is half as long again, up to 10 s. */
  readonly pollMs?: number;
}

const GROWTH = 1.5;
const POLL_MS_MAX = 10_000;
const TIMEOUT_MS = 300_000;

const hasEnded = ({ analysis_status }: Report): boolean => ['complete', 'partial', 'failed'].includes(analysis_status);

/** True when it is reached, false while it may come; throws when it cannot come by waiting. */
export function isReached(report: Report, until: Until): boolean {
  if (typeof until === 'function') return until(report);
  if (until === 'finished') return hasEnded(report);
  if (hasEnded(report) && report.analysis_status !== 'complete') throw new ReportOutcomeError(until, report);
  if (until === 'complete') return report.analysis_status === 'complete';
  if (report.publication_status === 'revoked') throw new ReportOutcomeError(until, report);
  return report.analysis_status === 'complete' && report.publication_status === 'published';
}

/** Reads until the answer is the last one. The deadline also ends a read and the pauses of its retries. */
export async function poll<T>(
  what: string,
  read: (options: RequestOptions) => Promise<Answer<T>>,
  isLast: (body: T) => boolean,
  { timeoutMs = TIMEOUT_MS, pollMs = 500, signal }: WaitOptions,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  let last: T | null = null;
  try {
    for (let delayMs = pollMs; ; delayMs = Math.min(delayMs * GROWTH, POLL_MS_MAX)) {
      const { body, retryAfterMs } = await read({ signal: either });
      last = body;
      if (isLast(body)) return body;
      await pause(Math.max(retryAfterMs ?? 0, backoffMs(0, { retryDelayMs: delayMs })), either);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.aborted) throw error;
    const isReport = (last as { schema_version?: string } | null)?.schema_version === 'report.v1';
    throw new WaitTimeoutError(what, timeoutMs, isReport ? (last as Report) : null);
  }
}
