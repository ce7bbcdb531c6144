import { setImmediate as nextTurn } from 'node:timers/promises';
import { limited } from './limited';

it('lets so many work at once, in their order, and goes on when one fails', async () => {
  const limit = limited(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) => async (): Promise<number> => {
    begun.push(index);
    await new Promise<void>((end) => (ends[index] = end));
    if (index === 0) throw new Error('broken');
    return index;
  };
  const outcomes = Promise.allSettled([0, 1, 2, 3].map((index) => limit(work(index))));
  await nextTurn();
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await nextTurn();
  expect(begun).toEqual([0, 1, 2]);
  ends[2]!();
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[1]!();
  ends[3]!();
  expect((await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual(['failed', 1, 2, 3]);
  expect(await limit(async () => 'room')).toBe('room');
});
