import { randomOf } from '../seeded';
import { type FaultKind, planOf, rateOfDay } from './plan';

const KINDS: readonly FaultKind[] = [
  { name: 'killed', holdMs: 0, places: ['one', 'two'] },
  { name: 'cut', holdMs: 8_000, places: ['three'] },
  { name: 'full', holdMs: 3_000, places: ['four', 'five', 'six'] },
];
const MINUTE = 60_000;

describe('the plan of faults', () => {
  it('follows from its seed', () => {
    expect(planOf(KINDS, 7, 5 * MINUTE)).toEqual(planOf(KINDS, 7, 5 * MINUTE));
    expect(planOf(KINDS, 7, 5 * MINUTE)).not.toEqual(planOf(KINDS, 8, 5 * MINUTE));
    const [first] = Array.from({ length: 1 }, randomOf(1));
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(1);
  });

  it.each([1, 2, 3, 4, 5])('has every kind once before any occurs again, one after the other (seed %i)', (seed) => {
    const plan = planOf(KINDS, seed, 10 * MINUTE);
    expect(plan.length).toBeGreaterThan(2 * KINDS.length);
    for (let round = 0; (round + 1) * KINDS.length <= plan.length; round += 1) {
      const names = plan.slice(round * KINDS.length, (round + 1) * KINDS.length).map(({ name }) => name);
      expect(names.sort()).toEqual(['cut', 'full', 'killed']);
    }
    const kindOf = (name: string) => KINDS.find((kind) => kind.name === name)!;
    plan.forEach(({ atMs, name, place }, index) => {
      const endMs = atMs + kindOf(name).holdMs;
      expect(kindOf(name).places).toContain(place);
      expect(plan[index + 1]?.atMs ?? Infinity).toBeGreaterThan(endMs);
      expect(endMs).toBeLessThanOrEqual(10 * MINUTE);
    });
  });

  it('is empty where there is no time', () => expect(planOf(KINDS, 1, 1_000)).toEqual([]));

  it('has most traffic at noon and little at night', () => {
    expect(rateOfDay(0)).toBeCloseTo(0.1);
    expect(rateOfDay(0.5)).toBeCloseTo(1);
    expect(rateOfDay(1)).toBeCloseTo(0.1);
  });
});
