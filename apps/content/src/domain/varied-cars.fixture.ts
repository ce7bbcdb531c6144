import { type Car, NO_PHOTO } from './snapshot.fixture';

type Change = NonNullable<Car['change']>;

/** A sequence that is the same each time: runs are compared with each other. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NOT_READ = [null, NO_PHOTO] as const;
const SIZES = [
  [205, 55, 16],
  [225, 45, 17],
  [245, 40, 18],
] as const;

const POINTS_PER_MASK = 120;
const fiveDigits = (value: number): number => Math.round(value * 1e5) / 1e5;

/** As the engine draws a groove: a row of points down its one side, a row up the other. */
const outline = (index: number, next: () => number): [number, number][] =>
  Array.from({ length: POINTS_PER_MASK }, (_, point) => {
    const down = point < POINTS_PER_MASK / 2;
    const row = down ? point : POINTS_PER_MASK - point;
    const x = 0.1 + index * 0.12 + (down ? 0 : 0.03) + next() * 0.01;
    return [fiveDigits(x), fiveDigits(0.1 + (0.8 * row) / (POINTS_PER_MASK / 2))];
  });

const drawn =
  (next: () => number): Change =>
  (slot) => {
    const { result } = slot.analysis;
    if (!result || !('groove_masks' in result)) return slot;
    const groove_masks = result.groove_masks.map((mask, index) => ({ ...mask, polygon_xy_norm: outline(index, next) }));
    return { ...slot, analysis: { ...slot.analysis, result: { ...result, groove_masks } } };
  };

/** Every template, both modes and rulesets, and each kind of wear; one tread in ten and one sidewall in three is not read. */
export function variedCars(count: number): Car[] {
  const next = sequence(20_260_928);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const grooves = () => {
    if (next() < 0.1) return pick(NOT_READ);
    const depthMm = next() * 8;
    return Array.from({ length: pick([3, 4, 4, 4, 5, 6]) }, () => Math.max(0, depthMm + (next() - 0.5) * pick([0.4, 2, 4])));
  };
  const size = () => (next() < 1 / 3 ? pick(NOT_READ) : pick(SIZES));
  const four = <T>(one: () => T) => [one(), one(), one(), one()] as const;
  return Array.from({ length: count }, () => ({
    depths: four(grooves),
    sizes: next() < 0.7 ? four(size) : undefined,
    mode: next() < 0.9 ? 'automatic' : 'manual',
    rulesetVersion: next() < 0.9 ? '1.1' : '1.0',
    confidence: next(),
    change: drawn(next),
  }));
}
