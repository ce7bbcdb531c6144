import { assertNever, type AnalysisErrorCode } from '@tire/kernel';
import type { ImageFault } from './images/image-size';

/** Why an attempt to fetch an image failed. */
export type FetchFailure =
  | { readonly kind: 'outbound'; readonly reason: 'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects' | 'bad_url' }
  | { readonly kind: 'status'; readonly httpStatus: number }
  | { readonly kind: 'content'; readonly fault: ImageFault };

export const FETCH_TIMEOUT_MS = 15_000;
export const MAX_REDIRECTS = 3;

export function publicErrorCode(failure: FetchFailure): AnalysisErrorCode {
  switch (failure.kind) {
    case 'content':
      return failure.fault;
    case 'status':
      return 'image_unreachable';
    case 'outbound':
      return outboundErrorCode(failure.reason);
    default:
      return assertNever(failure);
  }
}

function outboundErrorCode(reason: Extract<FetchFailure, { kind: 'outbound' }>['reason']): AnalysisErrorCode {
  switch (reason) {
    case 'forbidden':
    case 'bad_url':
    // The address itself breaks a rule, so a retry would fail too.
    case 'too_many_redirects':
      return 'image_url_forbidden';
    case 'unreachable':
      return 'image_unreachable';
    case 'timeout':
      return 'image_fetch_timeout';
    case 'too_large':
      return 'image_too_large';
    default:
      return assertNever(reason);
  }
}

const TRANSIENT_STATUSES = new Set([408, 425, 429]);

const isTransient = (failure: FetchFailure): boolean => {
  if (failure.kind === 'status') return failure.httpStatus >= 500 || TRANSIENT_STATUSES.has(failure.httpStatus);
  return failure.kind === 'outbound' && (failure.reason === 'unreachable' || failure.reason === 'timeout');
};

export interface RetryPolicy {
  /** Delay before each further attempt. */
  readonly delaysMs: readonly number[];
  /** No attempt begins later than this after the first one. */
  readonly deadlineMs: number;
}

/** Two retries that begin within 20 s: a host that times out after 15 s gets one of them, and a slot has its result within 35 s. */
export const RETRY_POLICY: RetryPolicy = { delaysMs: [500, 2_500], deadlineMs: 20_000 };

/** Undefined where the failure is final. */
export function retryDelayMs(policy: RetryPolicy, failure: FetchFailure, attempt: number, elapsedMs: number): number | undefined {
  const delayMs = policy.delaysMs[attempt - 1];
  return delayMs !== undefined && isTransient(failure) && elapsedMs + delayMs <= policy.deadlineMs ? delayMs : undefined;
}
