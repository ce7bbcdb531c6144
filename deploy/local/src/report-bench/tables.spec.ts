import { attributedText } from './tables';

it.each([
  [5, 20, 5, '5 (25 %)'],
  [5, 20, 1, '5 (not sure)'],
  [-1, 20, 5, 'not sure'],
  [21, 20, 5, 'not sure'],
])('a stage of %d ms in %d ms, of %d rounds', (ms, all, rounds, expected) => {
  expect(attributedText(ms, all, rounds)).toBe(expected);
});
