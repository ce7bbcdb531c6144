import { FairTurns, TooManyWaiting } from './fair-turns';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is ended by its name. */
function world(options: ConstructorParameters<typeof FairTurns>[0]) {
  const turns = new FairTurns(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    turns,
    begun,
    add: (name: string, weight?: number) =>
      turns.run(
        name[0]!,
        () => {
          begun.push(name);
          return new Promise<void>((end) => ends.set(name, end));
        },
        weight,
      ),
    end: async (name: string) => {
      ends.get(name)!();
      await settled();
    },
  };
}

describe('fair turns', () => {
  it('another key gets the next turn while one key has much waiting', async () => {
    const { begun, add, end } = world({ capacity: 2, ofKey: 2, waitingOfKey: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void add(name);
    void add('b1');
    await settled();
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('keys with equal parts take turns', async () => {
    const { begun, add, end } = world({ capacity: 1, ofKey: 1, waitingOfKey: 10 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name);
    for (let turn = 0; turn < 5; turn += 1) {
      await settled();
      await end(begun.at(-1)!);
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('one key never holds everything', async () => {
    const { begun, add } = world({ capacity: 4, ofKey: 2, waitingOfKey: 10 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(name);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('work heavier than the part of its key runs as the only work of its key', async () => {
    const { begun, add, end } = world({ capacity: 10, ofKey: 4, waitingOfKey: 10 });
    void add('a1', 8);
    void add('a2', 1);
    void add('b1', 2);
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('light work overtakes heavy work that has no room, but not for ever', async () => {
    const { begun, add, end } = world({ capacity: 10, ofKey: 10, waitingOfKey: 1_000 });
    void add('a1', 9);
    void add('b1', 9);
    for (let n = 0; n < 70; n += 1) void add(`c${n}`, 1);
    await settled();
    for (let n = 0; begun.at(-1) === `c${n}`; n += 1) await end(`c${n}`);
    expect(begun).toHaveLength(1 + 64);
    await end('a1');
    expect(begun[65]).toBe('b1');
  });

  it('refuses what exceeds the queue of its key, and nothing of another key', async () => {
    const { turns, begun, add } = world({ capacity: 1, ofKey: 1, waitingOfKey: 2 });
    for (const name of ['a1', 'a2', 'a3']) void add(name);
    await expect(add('a4')).rejects.toBeInstanceOf(TooManyWaiting);
    void add('b1');
    await settled();
    expect([turns.waitingOf('a'), turns.waitingOf('b'), begun]).toEqual([2, 1, ['a1']]);
  });

  it('a failure ends its turn', async () => {
    const turns = new FairTurns({ capacity: 1, ofKey: 1, waitingOfKey: 2 });
    const failed = turns.run('a', () => Promise.reject(new Error('no')));
    const after = turns.run('a', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no');
    await expect(after).resolves.toBe('done');
  });
});
