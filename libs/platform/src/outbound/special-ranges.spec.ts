import { judgeAddress } from './addresses';

/**
 * The special-purpose registries of IANA as of 2026, the unicast and multicast allocations, and addresses that clouds reserve.
 * This list is independent of the implementation and uses plain arithmetic, so that the test detects an error in its list or library.
 */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Base and prefix length. Everything outside of 2000::/3 is special: the first three entries. */
const SPECIAL_V6: readonly (readonly [bigint, number])[] = [
  [0n, 3],
  [0x4000n << 112n, 2],
  [0x8000n << 112n, 1],
  [0x2001n << 112n, 23],
  [(0x2001n << 112n) | (0xdb8n << 96n), 32],
  [0x2002n << 112n, 16],
  [(0x2620n << 112n) | (0x4fn << 96n) | (0x8000n << 80n), 48],
  [0x3fffn << 112n, 20],
];

interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

const rangeOf = (base: bigint, prefix: number, bits: number): Range => ({ first: base, last: base + (1n << BigInt(bits - prefix)) - 1n });
/** RFC 5214: 0000:5efe or 0200:5efe (the group bit does not matter) before an IPv4 address, under any prefix. */
const isIsatap = (value: bigint): boolean => ((value >> 32n) & 0xfcff_ffffn) === 0x5efen;
const asIsatap = (value: bigint, universal: boolean): bigint =>
  ((value >> 64n) << 64n) | (((universal ? 0x0200_0000n : 0n) | 0x5efen) << 32n) | (value & 0xffff_ffffn);
const numberOfV4 = (text: string): bigint => text.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

const RANGES = {
  4: SPECIAL_V4.map(([base, prefix]) => rangeOf(numberOfV4(base), prefix, 32)),
  6: SPECIAL_V6.map(([base, prefix]) => rangeOf(base, prefix, 128)),
};

const textOfV4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const textOfV6 = (value: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');

const WIDTH = { 4: 32, 6: 128 } as const;
const textOf = { 4: textOfV4, 6: textOfV6 };
const COUNT = Number(process.env['ADDRESS_PROPERTY_RUNS'] ?? 100_000);
const SEED = Number(process.env['ADDRESS_PROPERTY_SEED'] ?? 20_261_121);

/** Repeatable (xorshift32): the seed reproduces the address of a failure. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

describe('judgeAddress compared with the registries', () => {
  it(`agrees with them on ${COUNT} addresses, half of them around the ends of a range`, () => {
    const next = randomNumbers(SEED);
    const anywhere = (bits: number): bigint => {
      let value = 0n;
      for (let done = 0; done < bits; done += 32) value = (value << 32n) | BigInt(next());
      return value;
    };
    const aroundAnEnd = (ranges: readonly Range[]): bigint => {
      const range = ranges[next() % ranges.length]!;
      return (next() % 2 === 0 ? range.first : range.last) + BigInt(next() % 5) - 2n;
    };
    const seen = { public: 0, forbidden: 0 };
    const wrong: string[] = [];
    for (let done = 0; done < COUNT; done += 1) {
      const family = next() % 2 === 0 ? 4 : 6;
      const ranges = RANGES[family];
      const found = BigInt.asUintN(WIDTH[family], next() % 2 === 0 ? anywhere(WIDTH[family]) : aroundAnEnd(ranges));
      const value = family === 6 && next() % 50 === 0 ? asIsatap(found, next() % 2 === 0) : found;
      const special = ranges.some(({ first, last }) => value >= first && value <= last) || (family === 6 && isIsatap(value));
      const expected = special ? 'forbidden' : 'public';
      seen[expected] += 1;
      const text = textOf[family](value);
      if (judgeAddress(text) !== expected) wrong.push(`${text} is ${expected}`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(Math.min(seen.public, seen.forbidden)).toBeGreaterThan(COUNT / 20);
  }, 120_000);
});
