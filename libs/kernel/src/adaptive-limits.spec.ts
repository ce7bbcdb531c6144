import { AdaptiveLimits, type CallOutcome, type LimitBounds } from './adaptive-limits';

const BOUNDS: LimitBounds = { min: 1, initial: 4, max: 16, onTimeout: 'halve' };

function limitAfter(outcomes: readonly CallOutcome[], bounds: LimitBounds = BOUNDS): number {
  const limits = new AdaptiveLimits(bounds);
  for (const outcome of outcomes) {
    limits.begin('a');
    limits.end('a', outcome);
  }
  return limits.free('a');
}

describe('adaptive limits', () => {
  it.each<[CallOutcome[], number]>([
    [[], 4],
    [['fast'], 8],
    [['fast', 'fast', 'fast'], 16],
    [['fast', 'slow'], 8],
    [['timeout'], 2],
    [['timeout', 'timeout', 'timeout'], 1],
    [['timeout', 'fast', 'fast'], 8],
  ])('after %j: %i calls', (outcomes, limit) => {
    expect(limitAfter(outcomes)).toBe(limit);
  });

  it('a timeout may set the limit to its minimum at once', () => {
    expect(limitAfter(['fast', 'fast', 'timeout'], { ...BOUNDS, onTimeout: 'min' })).toBe(1);
  });

  it('calls in flight above a limit that fell leave no room', () => {
    const limits = new AdaptiveLimits(BOUNDS);
    limits.begin('a', 4);
    limits.end('a', 'timeout');
    expect([limits.inFlight('a'), limits.free('a')]).toEqual([3, 0]);
  });

  it('remembers a bounded number of keys, and every key with calls in flight', () => {
    const limits = new AdaptiveLimits(BOUNDS);
    limits.begin('busy');
    for (let n = 0; n < 10_100; n += 1) {
      limits.begin(`key-${n}`);
      limits.end(`key-${n}`, 'timeout');
    }
    const remembered = Array.from({ length: 10_100 }, (_, n) => limits.free(`key-${n}`)).filter((free) => free === 2);
    expect(remembered).toHaveLength(9_999);
    expect([limits.inFlight('busy'), limits.free('key-0'), limits.free('key-10099')]).toEqual([1, 4, 2]);
  });
});
