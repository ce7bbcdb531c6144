import { randomOf, rateOfDay, shuffled } from './random';
import { type Books, faultsOf, grown, SLACK, slopeOf } from './verdict';

const books = (over: Partial<Books> = {}): Books => ({
  created: new Map([['k', new Set(['r'])]]),
  published: new Set(['r']),
  callbacks: new Map([['r', new Set(['c'])]]),
  reports: 1,
  counted: 1,
  ...over,
});

describe('the verdict of a soak', () => {
  it.each<[string, Partial<Books>, number]>([
    ['nothing', {}, 0],
    ['a doubled report', { created: new Map([['k', new Set(['r', 's'])]]), published: new Set(['r', 's']), reports: 2, counted: 2 }, 2],
    ['a lost report', { published: new Set() }, 1],
    ['a missing callback', { callbacks: new Map() }, 1],
    ['a callback under two ids', { callbacks: new Map([['r', new Set(['c', 'd'])]]) }, 1],
    [
      'a callback about an unknown report',
      {
        callbacks: new Map([
          ['r', new Set(['c'])],
          ['x', new Set(['d'])],
        ]),
      },
      1,
    ],
    ['a report that nobody created', { reports: 2, counted: 2 }, 1],
    ['a report that is counted twice', { counted: 2 }, 1],
  ])('finds %s', (_, over, count) => expect(faultsOf(books(over))).toHaveLength(count));

  it('judges what grew by its level before, and slopes in units a minute', () => {
    const level = (after: number) => grown([{ name: 'x', before: 100, after }], SLACK.memoryMib).length;
    expect([level(214), level(215)]).toEqual([0, 1]);
    expect(grown([{ name: 'rows', before: 3, after: 4 }], SLACK.rows)).toHaveLength(1);
    expect(slopeOf([0, 1, 2, 3].map((minute) => ({ atMs: minute * 60_000, value: 5 + 2 * minute })))).toBeCloseTo(2);
    expect(slopeOf([{ atMs: 0, value: 1 }])).toBe(0);
  });

  it('repeats with its seed: the same numbers, the same order', () => {
    const some = (seed: number) => Array.from({ length: 5 }, randomOf(seed));
    expect(some(7)).toEqual(some(7));
    expect(some(7)).not.toEqual(some(8));
    expect(shuffled([1, 2, 3, 4], randomOf(1)).sort()).toEqual([1, 2, 3, 4]);
    expect(rateOfDay(0.5)).toBe(1);
  });
});
