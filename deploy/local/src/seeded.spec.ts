import { randomOf, seedOf, shuffled } from './seeded';

const items = Array.from({ length: 20 }, (_, index) => index);
const shuffledBy = (text: string) => shuffled(items, randomOf(seedOf(text)));

it('keeps every item', () => {
  expect(shuffledBy('a').toSorted((a, b) => a - b)).toEqual(items);
});

it('gives one order for a seed and another for another seed', () => {
  expect(shuffledBy('a')).toEqual(shuffledBy('a'));
  expect(shuffledBy('a')).not.toEqual(shuffledBy('b'));
});
