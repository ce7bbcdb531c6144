import { differenceOf, isAtMost, rangeOf } from './judge';

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
