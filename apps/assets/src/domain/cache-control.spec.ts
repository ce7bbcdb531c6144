import * as fc from 'fast-check';
import { judgeCacheControl } from './cache-control';

describe('the Cache-Control of an upload, every row of the specification', () => {
  it.each([
    ['max-age=60', 60],
    ...Array.from({ length: 60 }, (_, seconds) => [`max-age=${seconds}`, seconds] as const),
    ['no-cache, no-store', 0],
    ['no-cache', 0],
    ['no-store', 0],
    ['public, max-age=60', 60],
    ['max-age=60, private, must-revalidate, immutable', 60],
    ['s-maxage=60', 60],
    ['60', 60],
  ] as const)('accepts %j', (header, reuseSeconds) => {
    expect(judgeCacheControl(header)).toEqual({ accepted: true, reuseSeconds });
  });

  it.each([
    ['max-age=3600', 'too_long'],
    ['public', 'no_lifetime'],
    [undefined, 'missing'],
  ] as const)('rejects %j: %s', (header, reason) => {
    expect(judgeCacheControl(header)).toEqual({ accepted: false, reason });
  });
});

describe('headers that are not in the table', () => {
  it.each([
    'MAX-AGE=60',
    'max-age="60"',
    'max-age=060',
    '  max-age=60  ',
    ', ,max-age=60,,',
    'max-age=60,public',
    'max-age=3600, no-cache',
    'max-age=oops, no-store',
    'ext="a, max-age=3600", max-age=60',
    'ext="a \\" b", max-age=1',
    'max-age=30, stale-while-revalidate=30',
    'max-age=60, s-maxage=30',
    'max-age=60, stale-if-error=86400',
  ])('accepts %j', (header) => {
    expect(judgeCacheControl(header).accepted).toBe(true);
  });

  it.each([
    ['', 'missing'],
    ['   ', 'missing'],
    [',,', 'no_lifetime'],
    ['61', 'too_long'],
    ['max-age=61', 'too_long'],
    ['s-maxage=61', 'too_long'],
    ['max-age=60, s-maxage=3600', 'too_long'],
    ['s-maxage=0, max-age=3600', 'too_long'],
    ['max-age=60, max-age=3600', 'too_long'],
    ['max-age=60, stale-while-revalidate=1', 'too_long'],
    [`max-age=${'9'.repeat(400)}`, 'too_long'],
    ['max-age', 'malformed'],
    ['max-age=', 'malformed'],
    ['max-age=-1', 'malformed'],
    ['max-age=6.5', 'malformed'],
    ['max-age=1e1', 'malformed'],
    ['max-age =60', 'malformed'],
    ['max-age= 60', 'malformed'],
    ['max-age=60; public', 'malformed'],
    ['public max-age=60', 'malformed'],
    ['max-age="60', 'malformed'],
    ['max-age=60, stale-while-revalidate', 'malformed'],
    ['private', 'no_lifetime'],
    ['must-revalidate', 'no_lifetime'],
    ['no-cache="set-cookie"', 'no_lifetime'],
    ['x-max-age=60', 'no_lifetime'],
    ['stale-while-revalidate=10', 'no_lifetime'],
  ] as const)('rejects %j: %s', (header, reason) => {
    expect(judgeCacheControl(header)).toEqual({ accepted: false, reason });
  });
});

describe('combinations', () => {
  const bystander = fc.constantFrom('public', 'private', 'must-revalidate', 'immutable', 'no-transform', 'ext="x, y"', '');
  const lifetime = fc.tuple(fc.constantFrom('max-age=', 'S-MaxAge=', ''), fc.nat(200));
  const separator = fc.constantFrom(',', ', ', ' ,\t', ',,');

  it('the longest lifetime decides', () => {
    fc.assert(
      fc.property(
        fc.array(lifetime, { minLength: 1, maxLength: 4 }),
        fc.array(bystander, { maxLength: 4 }),
        separator,
        (lives, others, comma) => {
          const header = [...others, ...lives.map(([name, seconds]) => `${name}${seconds}`)].reverse().join(comma);
          expect(judgeCacheControl(header).accepted).toBe(Math.max(...lives.map(([, seconds]) => seconds)) <= 60);
        },
      ),
    );
  });

  it('any text gets a verdict, a long one in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (header) => {
        expect(typeof judgeCacheControl(header).accepted).toBe('boolean');
      }),
    );
    // In quadratic time the test would time out.
    expect(judgeCacheControl(`a="${'\\"'.repeat(100_000)}`).accepted).toBe(false);
    expect(judgeCacheControl(`${' ,'.repeat(100_000)}x y`).accepted).toBe(false);
  });
});
