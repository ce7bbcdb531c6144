import fc from 'fast-check';
import { canonicalJson, PrintedJson } from './canonical-json';

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

describe('canonical JSON', () => {
  // Keys that are numbers come first in every object of JavaScript, so the reference cannot hold them in order.
  const key = fc.string().filter((text) => !/^\d+$/.test(text) && text !== '__proto__');
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    // Halves of pairs among them.
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.integer({ min: -1, max: 100_001 }).map((step) => step / 100_000),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(key, tie('value'))),
  }));

  it('is what JSON.stringify writes of the value with its keys in order', () => {
    fc.assert(fc.property(value, (one) => expect(canonicalJson(one).toString()).toBe(JSON.stringify(one, inOrder))));
  });

  it('is whole where a document is larger than any before it', () => {
    const large = [1, 4, 16].map((factor) => ({
      points: new Array(factor * 1_000).fill([0.12345, 1e-7]),
      text: '가"'.repeat(factor * 1_000),
    }));
    for (const one of large) expect(canonicalJson(one).toString()).toBe(JSON.stringify(one));
    expect(canonicalJson(large).toString()).toBe(JSON.stringify(large));
  });

  it('copies what is printed already, short or long', () => {
    const long = `[${new Array(20_000).fill('[0.5,1]').join()}]`;
    expect(canonicalJson({ b: new PrintedJson('[]'), a: [new PrintedJson(long), '끝'] }).toString()).toBe(`{"a":[${long},"끝"],"b":[]}`);
  });

  it('leaves out what is undefined, and names the place of what JSON cannot carry', () => {
    expect(canonicalJson({ b: undefined, a: 1 }).toString()).toBe('{"a":1}');
    expect(() => canonicalJson({ tires: [{ depthMm: 1 }, { depthMm: Number.NaN }] })).toThrow('$.tires[1].depthMm');
    expect(() => canonicalJson({ now: [1, () => 2] })).toThrow('JSON has no function (at $.now[1])');
  });
});
