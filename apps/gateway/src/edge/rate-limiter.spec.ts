import { RateLimiter } from './rate-limiter';

const NOW_MS = 1_700_000_000_000;

describe('RateLimiter', () => {
  it('has a separate bucket for every caller', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 });
    const admitted = ['a', 'a', 'a', 'b', 'b', 'b'].map((caller) => limiter.take(caller, NOW_MS).admitted);
    expect(admitted).toEqual([true, true, false, true, true, false]);
  });

  it("deletes full buckets without changing a caller's allowance", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, 100);
    for (let caller = 0; caller < 99; caller += 1) limiter.take(`early ${caller}`, NOW_MS);
    limiter.take('busy', NOW_MS + 900);
    limiter.take('busy', NOW_MS + 900);
    expect(limiter.take('late', NOW_MS + 1_000).admitted).toBe(true);
    expect(limiter.size).toBe(2);
    expect(limiter.take('busy', NOW_MS + 1_000).admitted).toBe(false);
  });

  it('stays within its size limit with more active callers than buckets', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, 100);
    for (let caller = 0; caller < 10_000; caller += 1) {
      limiter.take(`${caller}`, NOW_MS);
      expect(limiter.size).toBeLessThanOrEqual(100);
    }
    limiter.take('9999', NOW_MS);
    expect(limiter.take('9999', NOW_MS).admitted).toBe(false);
  });
});
