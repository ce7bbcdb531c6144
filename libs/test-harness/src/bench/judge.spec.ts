import { differenceOf, isAtLeast, isAtMost, percentile, rangeOf, shareText } from './judge';

it('the range of rounds', () => {
  expect(rangeOf([3, 1, 9, 4, 2])).toEqual({ median: 3, min: 1, max: 9 });
});

describe('a goal is kept', () => {
  it.each([
    ['in every round', [1, 2, 3, 4, 5], 'yes'],
    ['in no round', [6, 7, 8, 9, 10], 'no'],
    ['in some rounds', [4, 5, 6, 5, 4], 'not sure'],
    ['in too few rounds', [1, 2, 3, 4], 'not sure'],
  ])('%s', (_, values, verdict) => {
    expect(isAtMost(values, 5)).toBe(verdict);
  });
});

it.each([
  ['in every round', [5, 6, 7, 8, 9], 'yes'],
  ['in no round', [1, 2, 3, 4, 4.9], 'no'],
  ['in some rounds', [4, 5, 6, 5, 4], 'not sure'],
  ['in too few rounds', [6, 7, 8, 9], 'not sure'],
])('a goal is reached %s', (_, values, verdict) => {
  expect(isAtLeast(values, 5)).toBe(verdict);
});

it('a percentile is a value of the list, whatever its order', () => {
  const values = [3, 1, 4, 2];
  expect([0.25, 0.5, 0.51, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 2, 3, 4, 4]);
  expect(percentile([], 0.5)).toBeNaN();
});

describe('a difference of two forms', () => {
  it.each([
    // The machine is slower in the third round, for both.
    ['is sure where every round shows it', [10, 10, 30, 10, 10], [20, 20, 40, 21, 20], 10, true],
    ['is sure in the other direction', [20, 20, 20, 20, 20], [10, 10, 10, 11, 10], -10, true],
    ['is not sure where its range is wider', [10, 10, 10, 10, 10], [12, 5, 14, 12, 12], 2, false],
    ['is not sure where there is none', [10, 10, 10, 10, 10], [10, 11, 10, 9, 10], 0, false],
    ['is not sure of few rounds', [10, 10], [20, 20], 10, false],
  ])('%s', (_, one, other, expected, isSure) => {
    expect(differenceOf(one, other)).toMatchObject({ median: expected, isSure });
  });
});

describe('a share', () => {
  it.each([
    ['of enough rounds', 0.25, 5, '25'],
    ['of too few rounds', 0.25, 4, 'not sure'],
    ['below zero', -0.01, 5, 'not sure'],
    ['above the whole', 1.01, 5, 'not sure'],
    ['of nothing', NaN, 5, 'not sure'],
  ])('%s', (_, share, rounds, expected) => {
    expect(shareText(share, rounds, (one) => String(100 * one))).toBe(expected);
  });
});
