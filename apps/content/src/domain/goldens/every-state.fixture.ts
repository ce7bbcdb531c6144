import { type Car, even, NO_IMAGE, sideUnknown, UNEVEN_TREADS } from '../fixtures/snapshot.fixture';

type Four<T> = readonly [T, T, T, T];
type Depths = NonNullable<Car['depths']>[number];
type OneSize = NonNullable<Car['sizes']>[number];

const GOOD = even(6);
const TIRES: readonly Depths[] = [
  even(7.5),
  even(3.2),
  even(3),
  even(2.4),
  even(1.6),
  even(1),
  ...UNEVEN_TREADS,
  [5, 6],
  [],
  null,
  NO_IMAGE,
];
const SIZES: readonly OneSize[] = [[225, 45, 17], [205, 55, 16], null, NO_IMAGE];

/** Every state of a tire on every set of tires of an otherwise good car, and every combination of four sizes. */
export function everyState(): Car[] {
  const sets = Array.from({ length: 15 }, (_, set) => set + 1);
  const cars = TIRES.flatMap((state) =>
    sets.flatMap((set) => {
      const at = (index: number): Depths => (set & (1 << index) ? state : GOOD);
      const depths: Four<Depths> = [at(0), at(1), at(2), at(3)];
      return [{ depths }, { depths, mode: 'manual' as const }, { depths, confidence: 0.3 }, { depths, change: sideUnknown }];
    }),
  );
  const sizes = SIZES.flatMap((a) => SIZES.flatMap((b) => SIZES.flatMap((c) => SIZES.map((d): Four<OneSize> => [a, b, c, d]))));
  return [...cars, ...sizes.flatMap((four) => [{ sizes: four }, { sizes: four, mode: 'manual' as const }])];
}
