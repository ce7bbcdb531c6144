import { canonicalJson } from './canonical-json';

describe('canonical JSON', () => {
  it('is one text for one value, whatever the order of its members', () => {
    const text = '{"a":{"c":true,"d":[2,{"e":"가","f":null}]},"b":1}';
    expect(canonicalJson({ b: 1, a: { d: [2, { f: null, e: '가' }], c: true } }).toString()).toBe(text);
    expect(canonicalJson({ a: { c: true, d: [2, { e: '가', f: null }] }, b: 1 }).toString()).toBe(text);
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ b: undefined, a: 1 }).toString()).toBe('{"a":1}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', (value) => {
    expect(() => canonicalJson({ depths: [value] })).toThrow(`JSON has no ${value}`);
  });
});
