import { FairQueue } from './fair-queue';

function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item[0]!, item);
  return queue;
}

describe('a fair queue', () => {
  it('takes one of each group in turn, and continues with the group that is next', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    expect([queue.take(2), queue.take(3), queue.take(5)]).toEqual([['a1', 'b1'], ['c1', 'a2', 'b2'], ['a3']]);
    expect([queue.size, queue.take(1)]).toEqual([0, []]);
  });

  it('takes several of one group, whose next turn comes after the others', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1');
    expect([queue.next, queue.takeOf('a', 2), queue.next, queue.take(2, (group) => group !== 'b'), queue.size]).toEqual([
      'a',
      ['a1', 'a2'],
      'b',
      ['c1', 'a3'],
      1,
    ]);
  });

  it('puts items back before those that wait', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1');
    const taken = queue.take(4);
    queue.push('a', 'a4');
    queue.putBack(taken.slice(1).map((item) => [item[0]!, item] as const));
    expect([queue.size, queue.sizeOf('a'), queue.sizeOf('b')]).toEqual([4, 3, 1]);
    expect(queue.take(9).filter((item) => item.startsWith('a'))).toEqual(['a2', 'a3', 'a4']);
  });

  it('removes an item that waits, and no other', () => {
    const queue = queueOf('a1', 'b1');
    queue.remove('a', 'a1');
    queue.remove('a', 'a1');
    queue.remove('b', 'b2');
    expect([queue.size, queue.sizeOf('a'), queue.take(2)]).toEqual([1, 0, ['b1']]);
  });
});
