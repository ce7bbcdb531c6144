import { type Holder, Places } from './places';

const holder = (name: string, share = 1): Holder[] => [{ name, share }];

function takenBy(places: Places, holders: readonly Holder[], count?: number): number {
  let times = 0;
  while (places.take(holders, count)) times += 1;
  return times;
}

describe('places', () => {
  it('give one holder half of them, and always leave one for the next', () => {
    const places = new Places(1_000);
    expect(takenBy(places, holder('a'))).toBe(500);
    expect(takenBy(places, holder('b'))).toBe(250);
    expect(takenBy(places, holder('a'))).toBe(0);
    for (let others = 0; others < 7; others += 1) expect(takenBy(places, holder(`c${others}`))).toBeGreaterThan(0);
    expect(places.inUse).toBeLessThan(1_000);
  });

  it('count every holder of a place: a project has no more by having more keys', () => {
    const places = new Places(1_000);
    const key = (name: string) => [...holder('organization', 2), ...holder('project'), ...holder(name, 0.5)];
    expect(takenBy(places, key('one'))).toBe(334);
    expect(takenBy(places, key('two'))).toBe(166);
    expect(takenBy(places, key('three'))).toBe(0);
    expect(takenBy(places, [...holder('organization', 2), ...holder('other project')])).toBe(167);
    expect(takenBy(places, holder('other organization'))).toBeGreaterThan(160);
  });

  it('are free again when they are left', () => {
    const places = new Places(1);
    expect([places.take(holder('a', 0.5)), places.take(holder('b'))]).toEqual([true, false]);
    places.leave(holder('a', 0.5));
    expect([places.inUse, places.take(holder('b'))]).toEqual([0, true]);
  });

  it.each([0.5, 1, 2])('tell how many a holder with a share of %d may take', (share) => {
    const places = new Places(1_000);
    const [one] = holder('one', share);
    for (const _ of Array(4)) {
      expect(places.roomOf(one!)).toBe(takenBy(places, [one!]));
      expect(places.roomOf(one!)).toBe(0);
      takenBy(places, holder('other'), 7);
      places.leave([one!], 100);
    }
    expect(new Places(0).roomOf(one!)).toBe(0);
  });

  it('are taken several at once by large work, and never more than there are', () => {
    const places = new Places(10);
    expect([takenBy(places, holder('a'), 8), takenBy(places, holder('b'), 8), takenBy(places, holder('b'))]).toEqual([1, 0, 1]);
    places.leave(holder('a'), 8);
    expect(places.inUse).toBe(1);
  });
});
