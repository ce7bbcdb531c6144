import { Together } from './together';

describe('what is done together', () => {
  const started = (most = 8) => {
    const groups: number[][] = [];
    let isBroken = (_group: readonly number[]): boolean => false;
    let hold: Promise<void> = Promise.resolve();
    const doAll = async (group: readonly number[]) => {
      groups.push([...group]);
      await hold;
      if (isBroken(group)) throw new Error('broken');
      return group.map((item) => (item < 0 ? new Error(`no ${item}`) : `did ${item}`));
    };
    const together = new Together<number, string>(doAll, most);
    return {
      groups,
      together,
      breakIf: (rule: typeof isBroken) => void (isBroken = rule),
      holdUntil: (until: Promise<void>) => void (hold = until),
    };
  };

  it('is what comes for one key in one turn, and then what came meanwhile', async () => {
    const { groups, together, holdUntil } = started();
    let release = (): void => undefined;
    holdUntil(new Promise((resolve) => (release = resolve)));
    const first = [together.add('a', 1), together.add('a', 2), together.add('b', 3)];
    await new Promise((resolve) => setImmediate(resolve));
    const later = [together.add('a', 4), together.add('a', 5)];
    release();
    expect(await Promise.all([...first, ...later])).toEqual(['did 1', 'did 2', 'did 3', 'did 4', 'did 5']);
    expect(groups).toEqual([[1, 2], [3], [4, 5]]);
    expect(await together.add('a', 6)).toBe('did 6');
  });

  it('is limited in number', async () => {
    const { groups, together } = started(2);
    await Promise.all([1, 2, 3, 4, 5].map((item) => together.add('a', item)));
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('fails alone: by its own outcome, or done again without the others', async () => {
    const { groups, together, breakIf } = started();
    breakIf((group) => group.includes(7));
    const all = await Promise.allSettled([1, -2, 7].map((item) => together.add('a', item)));
    expect(all).toEqual([
      { status: 'fulfilled', value: 'did 1' },
      { status: 'rejected', reason: new Error('no -2') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
    expect(groups).toEqual([[1, -2, 7], [1], [-2], [7]]);
  });
});
