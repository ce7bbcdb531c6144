import { DomainError } from '@tire/kernel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from './turns';

const refusal = () => new DomainError('idempotency_in_progress');

/** Work that ends when the test ends it. */
function workOf(turns: Turns, begun: string[]) {
  const ends = new Map<string, () => void>();
  const take = (key: string, name: string): Promise<string> =>
    turns.take(key, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (name.endsWith('!')) throw new Error(name);
      return name;
    });
  return { take, end: async (name: string) => (ends.get(name)!(), nextTurn()) };
}

describe('turns', () => {
  it('run as many pieces of work of a key as they may, in the order of arrival, and other keys beside them', async () => {
    const begun: string[] = [];
    const { take, end } = workOf(new Turns({ atOnce: 2, waitMs: 60_000, refusal }), begun);
    const all = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3'), take('a', 'a4'), take('b', 'b1')];
    await nextTurn();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
    for (const name of ['a3', 'a4', 'b1']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('go on after work that failed', async () => {
    const begun: string[] = [];
    const { take, end } = workOf(new Turns({ atOnce: 1, waitMs: 60_000, refusal }), begun);
    const failed = expect(take('a', 'a1!')).rejects.toThrow('a1!');
    const next = take('a', 'a2');
    await nextTurn();
    await end('a1!');
    await failed;
    await end('a2');
    expect(await next).toBe('a2');
    const again = take('a', 'a3');
    await nextTurn();
    await end('a3');
    expect(await again).toBe('a3');
  });

  it('are refused to work that waited too long, and the next one still gets its turn', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const begun: string[] = [];
      const { take, end } = workOf(new Turns({ atOnce: 1, waitMs: 100, refusal }), begun);
      const first = take('a', 'a1');
      const late = expect(take('a', 'a2')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      jest.advanceTimersByTime(60);
      const third = take('a', 'a3');
      jest.advanceTimersByTime(60);
      await late;
      await end('a1');
      expect(begun).toEqual(['a1', 'a3']);
      await end('a3');
      expect([await first, await third, jest.getTimerCount()]).toEqual(['a1', 'a3', 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});
