import { Places, returnMs, type Asker, type Manner } from './places';

const asking = (projectId: string, host: string, count: number): Asker[] => Array.from({ length: count }, () => ({ projectId, host }));
const hostsOf = (projectId: string, count: number): Asker[] =>
  Array.from({ length: count }, (_, index) => ({ projectId, host: `${projectId}-${index}` }));

const answersOf = (places: Places<Asker>, askers: readonly Asker[]) => {
  const answers = askers.map((asker) => places.ask(asker));
  return {
    enter: answers.filter((answer) => answer === 'enter').length,
    comeAgain: answers.filter((answer) => answer === 'come again').length,
  };
};

describe('places for fetches', () => {
  it('are four for a host that nothing is known of, and for a project half of all', () => {
    const places = new Places();
    expect(answersOf(places, asking('a', 'one', 10)).enter).toBe(4);
    expect(answersOf(places, hostsOf('a', 100)).enter).toBe(12);
    expect(answersOf(places, hostsOf('b', 100)).enter).toBe(16);
    expect(answersOf(places, hostsOf('c', 100)).enter).toBe(0);
  });

  it('are as many for a quick host as for its project, and one for a silent one', () => {
    const given = (manner: Manner, times: number): number => {
      const places = new Places();
      for (const asker of asking('a', 'one', times)) {
        expect(places.ask(asker)).toBe('enter');
        places.leave(asker, manner);
      }
      return answersOf(places, asking('b', 'one', 100)).enter;
    };
    expect(given('quick', 1)).toBe(8);
    expect(given('quick', 9)).toBe(16);
    expect(given('slow', 9)).toBe(4);
    expect(given('silent', 1)).toBe(2);
    expect(given('silent', 9)).toBe(1);
  });

  it('become fewer for a project whose hosts are silent, and come back with the first that is not', () => {
    const places = new Places();
    const silent = hostsOf('a', 16);
    silent.forEach((asker) => places.ask(asker));
    silent.forEach((asker) => places.leave(asker, 'silent'));
    const others = hostsOf('a', 20).map(({ projectId, host }) => ({ projectId, host: `other-${host}` }));
    expect(others.map((asker) => places.ask(asker)).filter((answer) => answer === 'enter')).toHaveLength(2);
    expect(places.leave(others[0]!, 'quick')).toHaveLength(3);
  });

  it('go to the project that has fewest, in the order of asking', () => {
    const places = new Places();
    const [a, b] = [hostsOf('a', 20), hostsOf('b', 20)];
    for (const asker of [...a, ...b]) places.ask(asker);
    const c = hostsOf('c', 2);
    expect(c.map((asker) => places.ask(asker))).toEqual(['wait', 'wait']);
    expect(places.leave(a[0]!, 'quick')).toEqual([c[0]]);
    expect(places.leave(a[1]!, 'quick')).toEqual([c[1]]);
    expect(places.leave(b[0]!, 'quick')).toEqual([a[16]]);
  });

  it('are waited for by so many of a project, and by one of each when there is no more room', () => {
    const places = new Places();
    expect(answersOf(places, asking('a', 'one', 4 + 128 + 10))).toEqual({ enter: 4, comeAgain: 10 });
    for (const project of ['b', 'c', 'd']) expect(answersOf(places, asking(project, project, 4 + 128 + 1)).comeAgain).toBe(1);
    expect(answersOf(places, asking('e', 'one', 3))).toEqual({ enter: 0, comeAgain: 2 });
  });

  it('are not given to who waits no more', () => {
    const places = new Places();
    const askers = asking('a', 'one', 6);
    askers.forEach((asker) => places.ask(asker));
    places.waitNoMore(askers[4]!);
    places.waitNoMore(askers[4]!);
    expect(places.leave(askers[0]!, 'slow')).toEqual([askers[5]]);
  });

  it('are all free again in the end', () => {
    const places = new Places();
    const inside = ['a', 'b', 'c'].flatMap((project) => hostsOf(project, 30)).filter((asker) => places.ask(asker) === 'enter');
    let left = 0;
    for (let next = inside.shift(); next; next = inside.shift()) {
      inside.push(...places.leave(next, left % 3 === 0 ? 'silent' : 'quick'));
      left += 1;
    }
    expect(left).toBe(90);
    expect(
      answersOf(
        places,
        ['d', 'e'].flatMap((project) => hostsOf(project, 16)),
      ).enter,
    ).toBe(32);
  });
});

it.each([
  [1, 500],
  [2, 1_000],
  [5, 8_000],
  [9, 8_000],
])('comes again at its delivery %i after %i ms', (count, delayMs) => {
  expect(returnMs(count)).toBe(delayMs);
});
