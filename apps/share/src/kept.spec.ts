import { Kept } from './kept';

describe('Kept', () => {
  let nowMs: number;
  let made: string[];
  let kept: Kept<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    nowMs = 0;
    made = [];
    kept = new Kept(25, () => nowMs);
  });

  afterEach(() => jest.useRealTimers());

  const ask = (key: string, { bytes = 10, keptMs = 100 } = {}) =>
    kept.get(key, () => {
      made.push(key);
      return Promise.resolve({ value: `${key}${made.length}`, bytes, untilMs: nowMs + keptMs });
    });

  it('makes a value once for all who ask, until its time is over', async () => {
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['a1', 'a1']);
    nowMs = 99;
    expect(await ask('a')).toBe('a1');
    nowMs = 100;
    expect(await ask('a')).toBe('a2');
    expect(await ask('a')).toBe('a2');
  });

  it('keeps what was asked for last, and no more bytes than it may', async () => {
    for (const key of ['a', 'b', 'a', 'c']) await ask(key);
    expect(made).toEqual(['a', 'b', 'c']);
    for (const key of ['a', 'c', 'b']) await ask(key);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    await ask('large', { bytes: 26 });
    await ask('large', { bytes: 26 });
    expect(made.slice(4)).toEqual(['large', 'large']);
    await Promise.all([ask('d'), ask('e')]);
    await Promise.all([ask('d'), ask('e')]);
    expect(made.slice(6)).toEqual(['d', 'e']);
  });

  it('forgets what nobody asks for when its time is over, and not what was made anew meanwhile', async () => {
    await ask('a');
    jest.advanceTimersByTime(99);
    expect(await ask('a')).toBe('a1');
    jest.advanceTimersByTime(1);
    expect(await ask('a')).toBe('a2');

    jest.advanceTimersByTime(50);
    nowMs = 100;
    expect(await ask('a')).toBe('a3');
    jest.advanceTimersByTime(99);
    expect(await ask('a')).toBe('a3');
    expect(jest.getTimerCount()).toBe(1);
  });

  it('keeps each as long as it is good for', async () => {
    expect(await Promise.all([ask('a', { keptMs: 3 }), ask('b')])).toEqual(['a1', 'b2']);
    nowMs = 2;
    expect(await ask('a')).toBe('a1');
    nowMs = 3;
    expect([await ask('a'), await ask('b')]).toEqual(['a3', 'b2']);
  });

  it('keeps nothing whose time was over before it was made', async () => {
    const make = () => {
      made.push('a');
      nowMs += 100;
      return Promise.resolve({ value: `a${made.length}`, bytes: 10, untilMs: nowMs });
    };
    expect([await kept.get('a', make), await kept.get('a', make)]).toEqual(['a1', 'a2']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('makes anew what is good for those only who wait for it, and what could not be made', async () => {
    expect(await Promise.all([ask('a', { keptMs: 0 }), ask('a')])).toEqual(['a1', 'a1']);
    expect(await ask('a')).toBe('a2');
    await expect(kept.get('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await ask('b')).toBe('b3');
  });
});
