import { type Goal, tableOf, verdictOf } from './goals';

const goal = (most: number, ...values: number[]): Goal => ({ what: 'a page', unit: 'ms', most, values });

it.each<[string, Goal]>([
  ['met', goal(5, 3, 5, 4)],
  ['missed', goal(5, 6, 9, 5.1)],
  ['not sure', goal(5, 4, 4, 6)],
  ['not sure', goal(5, 6, 6, 4)],
])('%s: all rounds decide', (verdict, of) => expect(verdictOf(of)).toBe(verdict));

it('a size has no range', () => {
  expect(tableOf([goal(5, 4, 3, 6), { what: 'a file', unit: 'KB', most: 60, values: [41.26] }])).toBe(
    [
      '| what | median | range | at most | |',
      '|---|--:|--:|--:|---|',
      '| a page | 4.0 ms | 3.0 to 6.0 | 5 ms | not sure |',
      '| a file | 41.3 KB |  | 60 KB | met |',
    ].join('\n'),
  );
});
