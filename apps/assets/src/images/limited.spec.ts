import { setImmediate as nextTurn } from 'node:timers/promises';
import { limited, type Limit } from './limited';

/** Work that ends when the test calls `end`. */
function worksOf(limit: Limit) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number, weight?: number) =>
    limit(async () => {
      begun.push(index);
      await new Promise<void>((end) => (ends[index] = end));
      if (index === 0) throw new Error('broken');
      return index;
    }, weight);
  const end = async (index: number): Promise<number[]> => {
    ends[index]!();
    await nextTurn();
    return begun;
  };
  return { begun, work, end };
}

it('runs a limited number at once, in order, also after a failure', async () => {
  const limit = limited(2);
  const { begun, work, end } = worksOf(limit);
  const outcomes = Promise.allSettled([0, 1, 2, 3].map((index) => work(index)));
  await nextTurn();
  expect(begun).toEqual([0, 1]);
  expect(await end(0)).toEqual([0, 1, 2]);
  expect(await end(2)).toEqual([0, 1, 2, 3]);
  await end(1);
  await end(3);
  expect((await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual(['failed', 1, 2, 3]);
  expect(await limit(async () => 'room')).toBe('room');
});

it('counts weights: light work does not overtake heavy work, and work above the capacity runs alone', async () => {
  const { begun, work, end } = worksOf(limited(10));
  const works = [work(1, 6), work(2, 4), work(3, 8), work(4, 1), work(5, 11), work(6, 1)];
  await nextTurn();
  expect(begun).toEqual([1, 2]);
  expect(await end(1)).toEqual([1, 2]);
  expect(await end(2)).toEqual([1, 2, 3, 4]);
  expect(await end(3)).toEqual([1, 2, 3, 4]);
  expect(await end(4)).toEqual([1, 2, 3, 4, 5]);
  expect(await end(5)).toEqual([1, 2, 3, 4, 5, 6]);
  await end(6);
  expect(await Promise.all(works)).toEqual([1, 2, 3, 4, 5, 6]);
});
