import { RenderCache } from './render-cache';

describe('RenderCache', () => {
  let nowMs: number;
  let made: string[];
  let cache: RenderCache<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    nowMs = 0;
    made = [];
    cache = new RenderCache(25, () => nowMs);
  });

  afterEach(() => jest.useRealTimers());

  const get = (key: string, { bytes = 10, keptMs = 100 } = {}) =>
    cache.get(key, () => {
      made.push(key);
      return Promise.resolve({ value: `${key}${made.length}`, bytes, untilMs: nowMs + keptMs });
    });

  it('creates a value once for all requests, until it expires', async () => {
    expect(await Promise.all([get('a'), get('a')])).toEqual(['a1', 'a1']);
    nowMs = 99;
    expect(await get('a')).toBe('a1');
    nowMs = 100;
    expect(await get('a')).toBe('a2');
    expect(await get('a')).toBe('a2');
  });

  it('keeps the values that were requested last, up to a number of bytes', async () => {
    for (const key of ['a', 'b', 'a', 'c']) await get(key);
    expect(made).toEqual(['a', 'b', 'c']);
    for (const key of ['a', 'c', 'b']) await get(key);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    await get('large', { bytes: 26 });
    await get('large', { bytes: 26 });
    expect(made.slice(4)).toEqual(['large', 'large']);
    await Promise.all([get('d'), get('e')]);
    await Promise.all([get('d'), get('e')]);
    expect(made.slice(6)).toEqual(['d', 'e']);
  });

  it('drops an unrequested value when it expires, but not a value that replaced it', async () => {
    const pass = (ms: number) => {
      nowMs += ms;
      jest.advanceTimersByTime(ms);
    };
    nowMs = 1_000;
    await get('a');
    pass(101);
    // The clock goes back: only a value that was removed from memory is created again.
    nowMs = 1_000;
    expect(await get('a')).toBe('a2');
    pass(100);
    expect(await get('a')).toBe('a3');
    pass(99);
    expect(await get('a')).toBe('a3');
    expect(jest.getTimerCount()).toBe(1);
  });

  it('keeps each value until its own expiry', async () => {
    expect(await Promise.all([get('a', { keptMs: 3 }), get('b')])).toEqual(['a1', 'b2']);
    nowMs = 2;
    expect(await get('a')).toBe('a1');
    nowMs = 3;
    expect([await get('a'), await get('b')]).toEqual(['a3', 'b2']);
  });

  it('does not keep a value that expired before it was created', async () => {
    const make = () => {
      made.push('a');
      nowMs += 100;
      return Promise.resolve({ value: `a${made.length}`, bytes: 10, untilMs: nowMs });
    };
    expect([await cache.get('a', make), await cache.get('a', make)]).toEqual(['a1', 'a2']);
  });

  it('creates a value again after a failure, or if it was for waiting requests only', async () => {
    expect(await Promise.all([get('a', { keptMs: 0 }), get('a')])).toEqual(['a1', 'a1']);
    expect(await get('a')).toBe('a2');
    await expect(cache.get('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await get('b')).toBe('b3');
  });
});
