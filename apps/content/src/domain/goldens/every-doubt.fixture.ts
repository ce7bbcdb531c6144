import {
  baldAt,
  type Car,
  CUT_OFF,
  even,
  GROOVE_UNCLEAR,
  NO_IMAGE,
  sideUnknown,
  type Size,
  WORN_SMOOTH,
} from '../fixtures/snapshot.fixture';
import { everyState } from './every-state.fixture';

type Four<T> = readonly [T, T, T, T];
const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const DEPTHS = [even(6), even(3.2), even(2.3), even(1.9), even(1.4), even(1)];
const BALD = [
  WORN_SMOOTH,
  baldAt('whole'),
  baldAt('center'),
  baldAt('first_shoulder'),
  baldAt('last_shoulder'),
  baldAt('first_shoulder', 'last_shoulder'),
  baldAt('first_shoulder', 'center'),
];
const SETS = Array.from({ length: 15 }, (_, set) => set + 1);

/** `one` at the tires of a set, `other` at the rest. */
const fill = <T>(set: number, one: T, other: T): Four<T> => {
  const at = (index: number): T => (set & (1 << index) ? one : other);
  return [at(0), at(1), at(2), at(3)];
};

/** By a person, a tire of the front axle, and one of the rear axle. */
const CONFIRMED = [1, 4].map((set) => fill(set, true, false));

/** Every state of a tire in ruleset 2.0, on every set of tires, and every state of ruleset 1 beside them. */
export function everyDoubt(): Car[] {
  const sizes: Size[] = [
    [225, 45, 17],
    [225, 45, 17],
  ];
  const cars = SETS.flatMap((set): Car[] => [
    ...DEPTHS.map((depths) => ({ depths: fill(set, depths, even(6)), spreadMm: 0.5 })),
    ...BALD.flatMap((bald) => [
      { bald: fill(set, bald, null), spreadMm: 0.5 },
      { bald: fill(set, bald, null), change: sideUnknown },
    ]),
    { depths: fill(set, even(2.8), even(6)), spreadMm: 1.3 },
    ...[CUT_OFF, GROOVE_UNCLEAR, [...CUT_OFF, ...GROOVE_UNCLEAR]].map((unseen) => ({ unseen: fill(set, unseen, null), spreadMm: 0.5 })),
    ...(['tread', 'sidewall'] as const).flatMap((type) => {
      const group = POSITIONS.filter((_position, index) => set & (1 << index)).map((position) => `tire.${type}.${position}`);
      const four = [sizes[0]!, sizes[0]!, sizes[0]!, sizes[0]!] as const;
      if (group.length < 2) return [];
      return [even(6), even(1)].flatMap((depth, index) => [
        { shared: [group], sizes: four, depths: fill(set, depth, even(6)), spreadMm: 0.5 },
        { similar: [group], sizes: four, bald: fill(set, index === 0 ? null : baldAt('center'), null), spreadMm: 0.5 },
      ]);
    }),
    { sizes: fill<Size | typeof NO_IMAGE>(set, [225, 45, 17], NO_IMAGE), ageMonths: fill<number | null>(set, 130, 80) },
    { sizes: fill<Size>(set, [225, 65, 17], [225, 45, 17]) },
    ...CONFIRMED.flatMap((confirmed): Car[] => [
      { confirmed, sizes: fill<Size>(15, [225, 45, 17], [225, 45, 17]) },
      { confirmed, sizes: fill<Size>(set, [225, 65, 17], [225, 45, 17]) },
      { confirmed, sizes: fill<Size>(set, [215, 45, 17], [225, 45, 17]) },
      { confirmed, sizes: fill<Size | typeof NO_IMAGE>(set, [225, 45, 17], NO_IMAGE) },
    ]),
  ]);
  return [...everyState(), ...cars].map((car) => ({ ...car, rulesetVersion: '2.0' }));
}
