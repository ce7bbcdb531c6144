import { shuffled } from './shuffled';

const items = Array.from({ length: 20 }, (_, index) => index);

it('keeps every item', () => {
  expect(shuffled(items, 'a').toSorted((a, b) => a - b)).toEqual(items);
});

it('gives one order for a seed and another for another seed', () => {
  expect(shuffled(items, 'a')).toEqual(shuffled(items, 'a'));
  expect(shuffled(items, 'a')).not.toEqual(shuffled(items, 'b'));
});
