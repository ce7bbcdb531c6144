import { DomainError } from './errors';
import { Together } from './together';

describe('what is done together', () => {
  const started = (most = 8) => {
    const groups: number[][] = [];
    let failureOf = (_group: readonly number[]): Error | undefined => undefined;
    let hold: Promise<void> = Promise.resolve();
    const doAll = async (group: readonly number[]) => {
      groups.push([...group]);
      await hold;
      const failure = failureOf(group);
      if (failure) throw failure;
      return group.map((item) => (item < 0 ? new Error(`no ${item}`) : `did ${item}`));
    };
    const together = new Together<number, string>(doAll, most);
    return {
      groups,
      together,
      failWith: (rule: typeof failureOf) => void (failureOf = rule),
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
    const { groups, together, failWith } = started();
    failWith((group) => (group.includes(7) ? new Error('broken') : undefined));
    const all = await Promise.allSettled([1, -2, 7].map((item) => together.add('a', item)));
    expect(all).toEqual([
      { status: 'fulfilled', value: 'did 1' },
      { status: 'rejected', reason: new Error('no -2') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
    expect(groups).toEqual([[1, -2, 7], [1], [-2], [7]]);
  });

  it('fails at once where the database is unavailable', async () => {
    const { groups, together, failWith } = started();
    const unavailable = new DomainError('service_unavailable');
    failWith(() => unavailable);
    const all = await Promise.allSettled([1, 2, 3].map((item) => together.add('a', item)));
    expect(all.map((each) => each.status === 'rejected' && each.reason === unavailable)).toEqual([true, true, true]);
    expect(groups).toEqual([[1, 2, 3]]);
    failWith(() => undefined);
    expect(await together.add('a', 4)).toBe('did 4');
  });
});
