import { quantile } from './field';

const sortedAt = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** Repeatable numbers, with many equal ones where `kinds` is small. */
const numbers = (count: number, kinds: number): number[] => {
  let state = count * 7919 + kinds;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state % kinds) - kinds / 3;
  });
};

describe('quantile', () => {
  it.each([1, 2, 3, 7, 100, 1001].flatMap((count) => [1, 2, 5, 1e6].map((kinds) => [count, kinds])))(
    'is the value at its place after sorting: %i numbers of %i kinds',
    (count, kinds) => {
      const values = numbers(count!, kinds!);
      const before = [...values];
      for (const share of [0, 0.01, 0.2, 0.5, 0.95, 1]) expect(quantile(values, share)).toBe(sortedAt(values, share));
      expect(values).toEqual(before);
    },
  );

  it.each([
    ['ascending', numbers(500, 1e6).sort((a, b) => a - b)],
    ['descending', numbers(500, 1e6).sort((a, b) => b - a)],
  ])('takes %s numbers', (_, values) => {
    for (const share of [0, 0.5, 0.99]) expect(quantile(values, share)).toBe(sortedAt(values, share));
  });

  it('is zero of nothing', () => {
    expect(quantile([], 0.5)).toBe(0);
  });
});
