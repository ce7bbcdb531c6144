import { FairTurns, TooManyWaiting, WaitedTooLong } from './fair-turns';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is ended by its name. */
function world(options: ConstructorParameters<typeof FairTurns>[0]) {
  const turns = new FairTurns(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    turns,
    begun,
    add: (name: string, options?: Parameters<FairTurns['run']>[2]) =>
      turns.run(
        name[0]!,
        () => {
          begun.push(name);
          return new Promise<void>((end) => ends.set(name, end));
        },
        options,
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
    void add('a1', { weight: 8 });
    void add('a2', { weight: 1 });
    void add('b1', { weight: 2 });
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('light work overtakes heavy work that has no room, but not for ever', async () => {
    const { begun, add, end } = world({ capacity: 10, ofKey: 10, waitingOfKey: 1_000 });
    void add('a1', { weight: 9 });
    void add('b1', { weight: 9 });
    for (let n = 0; n < 70; n += 1) void add(`c${n}`, { weight: 1 });
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

  it('without a capacity each key is limited by itself, in the order of arrival', async () => {
    const { begun, add, end } = world({ capacity: Infinity, ofKey: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void add(name);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('work that is cancelled while it waits never begins, and leaves its room to the next', async () => {
    const { turns, begun, add, end } = world({ capacity: 10, waitingOfKey: 2 });
    const given = new AbortController();
    void add('a1', { weight: 6 });
    const cancelled = expect(add('b1', { weight: 8, signal: given.signal })).rejects.toThrow('not needed');
    void add('b2', { weight: 4 });
    await settled();
    expect(begun).toEqual(['a1']);
    given.abort(new Error('not needed'));
    await cancelled;
    expect([begun, turns.waitingOf('b')]).toEqual([['a1', 'b2'], 0]);
    await expect(add('c1', { signal: given.signal })).rejects.toThrow('not needed');
    await end('a1');
    await end('b2');
    void add('d1', { weight: 10, signal: new AbortController().signal });
    await settled();
    expect(begun.at(-1)).toBe('d1');
  });

  it('what began is not cancelled', async () => {
    const given = new AbortController();
    const turns = new FairTurns({ capacity: 1 });
    const begun = turns.run('a', () => settled().then(() => 'done'), { signal: given.signal });
    given.abort(new Error('too late'));
    await expect(begun).resolves.toBe('done');
  });

  describe('with a time to wait', () => {
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
    afterEach(() => void jest.useRealTimers());

    it('refuse work that waited too long, and the next one still gets its turn', async () => {
      const { begun, add, end } = world({ capacity: Infinity, ofKey: 1 });
      void add('a1', { untilMs: performance.now() + 100 });
      const late = expect(add('a2', { untilMs: performance.now() + 100 })).rejects.toBeInstanceOf(WaitedTooLong);
      jest.advanceTimersByTime(60);
      void add('a3', { untilMs: performance.now() + 100 });
      jest.advanceTimersByTime(60);
      await late;
      await end('a1');
      expect([begun, jest.getTimerCount()]).toEqual([['a1', 'a3'], 0]);
    });

    it('several turns of one request share its time', async () => {
      const [outer, inner] = [world({ capacity: 1 }), world({ capacity: 1 })];
      void outer.add('a1');
      void inner.add('a2');
      const untilMs = performance.now() + 100;
      const refused = jest.fn();
      const both = outer.turns.run('a', () => inner.turns.run('a', settled, { untilMs }), { untilMs }).catch(refused);
      jest.advanceTimersByTime(60);
      await outer.end('a1');
      jest.advanceTimersByTime(39);
      await settled();
      expect(refused).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      await both;
      expect(refused).toHaveBeenCalledWith(expect.any(WaitedTooLong));
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
