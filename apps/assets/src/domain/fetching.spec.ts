import { type FetchFailure, retryDelayMs, publicErrorCode, RETRY_POLICY } from './fetching';

const outbound = (reason: Extract<FetchFailure, { kind: 'outbound' }>['reason']): FetchFailure => ({ kind: 'outbound', reason });
const status = (httpStatus: number): FetchFailure => ({ kind: 'status', httpStatus });
const content = (fault: Extract<FetchFailure, { kind: 'content' }>['fault']): FetchFailure => ({ kind: 'content', fault });

describe('a failed fetch', () => {
  it.each([
    [outbound('forbidden'), 'image_url_forbidden', false],
    [outbound('bad_url'), 'image_url_forbidden', false],
    [outbound('too_many_redirects'), 'image_url_forbidden', false],
    [outbound('unreachable'), 'image_unreachable', true],
    [outbound('timeout'), 'image_fetch_timeout', true],
    [outbound('too_large'), 'image_too_large', false],
    [status(304), 'image_unreachable', false],
    [status(403), 'image_unreachable', false],
    [status(404), 'image_unreachable', false],
    [status(408), 'image_unreachable', true],
    [status(429), 'image_unreachable', true],
    [status(500), 'image_unreachable', true],
    [status(503), 'image_unreachable', true],
    [content('image_format_unsupported'), 'image_format_unsupported', false],
    [content('image_undecodable'), 'image_undecodable', false],
    [content('image_too_large'), 'image_too_large', false],
  ] as const)('%j is %s to the partner, tried again: %s', (failure, code, triedAgain) => {
    expect(publicErrorCode(failure)).toBe(code);
    expect(retryDelayMs(RETRY_POLICY, failure, 1, 0) !== undefined).toBe(triedAgain);
  });

  it('is tried again twice at most, with growing delays', () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(RETRY_POLICY, status(503), attempt, 0))).toEqual([500, 2_500, undefined]);
  });

  it('is not tried again when the next attempt would begin after the deadline', () => {
    const timeout = outbound('timeout');
    expect(retryDelayMs(RETRY_POLICY, timeout, 1, 15_000)).toBe(500);
    expect(retryDelayMs(RETRY_POLICY, timeout, 2, 18_000)).toBeUndefined();
  });
});
