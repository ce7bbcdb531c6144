import { take, tokensAt, type Allowance, type Bucket } from './token-bucket';

const START_MS = 1_700_000_000_000;

/** Calls one bucket at the given times and returns which calls are admitted. */
function calls(allowance: Allowance, momentsMs: readonly number[]): boolean[] {
  let bucket: Bucket | undefined;
  return momentsMs.map((momentMs) => {
    const taking = take(bucket, allowance, START_MS + momentMs);
    bucket = taking.bucket;
    return taking.admitted;
  });
}

const admittedOf = (answers: readonly boolean[]): number => answers.filter(Boolean).length;
const at = (momentMs: number, count: number): number[] => Array.from({ length: count }, () => momentMs);

describe('a token bucket', () => {
  const tenASecond: Allowance = { perSecond: 10, burst: 20 };

  it('admits exactly one burst at once', () => {
    expect(calls(tenASecond, at(0, 25))).toEqual([...Array<boolean>(20).fill(true), ...Array<boolean>(5).fill(false)]);
  });

  it.each([
    [99, 0],
    [100, 1],
    [1_000, 10],
    [2_000, 20],
    [3_600_000, 20],
  ])('%i ms after it was empty, it admits %i', (momentMs, admitted) => {
    expect(admittedOf(calls(tenASecond, [...at(0, 20), ...at(momentMs, 40)])) - 20).toBe(admitted);
  });

  it.each<[string, Allowance, number]>([
    ['1,000 a second, for an hour of two calls a millisecond', { perSecond: 1_000, burst: 2_000 }, 2_000 + 3_600],
    ['3 a second', { perSecond: 3, burst: 1 }, 1 + 10],
    ['one in four seconds', { perSecond: 0.25, burst: 5 }, 5],
  ])('admits the allowed number over time: %s', (_, allowance, expected) => {
    const moments = Array.from({ length: 7_200 }, (_unused, index) => index / 2);
    expect(Math.abs(admittedOf(calls(allowance, moments)) - expected)).toBeLessThanOrEqual(1);
  });

  it('takes no token for a refusal: an early call does not delay the next one', () => {
    expect(calls({ perSecond: 1, burst: 1 }, [0, 200, 400, 600, 800, 999, 1_000])).toEqual([true, false, false, false, false, false, true]);
  });

  it.each<[string, Allowance, Bucket, { remaining: number; resetSeconds: number; retryAfterSeconds: number; admitted: boolean }]>([
    ['full', tenASecond, { tokens: 20, atMs: START_MS }, { admitted: true, remaining: 19, resetSeconds: 1, retryAfterSeconds: 0 }],
    ['one token', tenASecond, { tokens: 1.5, atMs: START_MS }, { admitted: true, remaining: 0, resetSeconds: 2, retryAfterSeconds: 0 }],
    [
      'less than one token',
      tenASecond,
      { tokens: 0.99, atMs: START_MS },
      { admitted: false, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 },
    ],
    [
      'empty, and slow to fill',
      { perSecond: 0.1, burst: 3 },
      { tokens: 0, atMs: START_MS },
      { admitted: false, remaining: 0, resetSeconds: 30, retryAfterSeconds: 10 },
    ],
  ])('returns the wait in whole seconds: %s', (_, allowance, bucket, expected) => {
    expect(take(bucket, allowance, START_MS)).toMatchObject(expected);
  });

  it('continues to fill when the clock is set back, without extra tokens', () => {
    expect(admittedOf(calls(tenASecond, [...at(0, 20), ...at(-3_600_000, 5)]))).toBe(20);
    expect(admittedOf(calls(tenASecond, [...at(0, 20), -3_600_000, ...at(-3_599_000, 15)]))).toBe(30);
  });

  it('is full for a new caller', () => {
    expect(tokensAt(undefined, tenASecond, START_MS)).toBe(20);
  });
});
