import { ByteCache } from './byte-cache';

const document = (length: number) => ({ bytes: Buffer.alloc(length) });

describe('ByteCache', () => {
  it('keeps what was asked for last, up to its number of bytes', () => {
    const cache = new ByteCache(10);
    cache.set('a', document(4));
    cache.set('b', document(4));
    expect(cache.get('a')).toBeDefined();
    cache.set('c', document(4));
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
  });

  it('counts a document that is set again once, and never keeps one that is too large', () => {
    const cache = new ByteCache(10);
    for (let index = 0; index < 5; index += 1) cache.set('a', document(6));
    cache.set('b', document(4));
    expect(cache.get('a')).toBeDefined();
    cache.set('c', document(11));
    expect(cache.get('c')).toBeUndefined();
  });
});
