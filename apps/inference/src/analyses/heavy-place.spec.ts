import { HeavyPlace } from './heavy-place';

const FORGOTTEN_MS = 4_000;
const place = () => new HeavyPlace(FORGOTTEN_MS);

it('is for one image at once', () => {
  const heavy = place();
  expect(heavy.take('a', 0)).toBe(true);
  expect([heavy.take('a', 1), heavy.take('b', 2)]).toEqual([false, false]);
  heavy.leave();
  expect([heavy.take('a', 3), heavy.take('b', 4)]).toEqual([false, true]);
});

it('goes to the projects in turn, however many images one of them tries with', () => {
  const heavy = place();
  const turns: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const tries = [...Array<string>(200).fill('many'), 'few'];
    for (const project of tries) if (heavy.take(project, round * 1_000)) turns.push(project);
    heavy.leave();
  }
  expect(turns).toEqual(['many', 'few', 'many', 'few', 'many', 'few']);
});

it('waits for no project that has stopped trying', () => {
  const heavy = place();
  heavy.take('a', 0);
  heavy.take('gone', 10);
  heavy.leave();
  expect(heavy.take('a', 10 + FORGOTTEN_MS)).toBe(false);
  expect(heavy.take('a', 11 + FORGOTTEN_MS)).toBe(true);
});

it('is free for a project without changing anything: neither is it taken, nor a turn kept', () => {
  const heavy = place();
  expect([heavy.isFreeFor('a', 0), heavy.isFreeFor('b', 1), heavy.take('a', 2)]).toEqual([true, true, true]);
  expect(heavy.isFreeFor('b', 3)).toBe(false);
  heavy.leave();
  expect(heavy.take('a', 4)).toBe(true);
});

it('is not free for others while a project keeps its turn', () => {
  const heavy = place();
  heavy.take('a', 0);
  heavy.keepTurnOf('b', 1);
  heavy.leave();
  expect([heavy.isFreeFor('a', 2), heavy.isFreeFor('b', 2)]).toEqual([false, true]);
});
