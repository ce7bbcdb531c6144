import { oneOf, randomOf, shuffled } from '../seeded';

/** The share of the day's highest rate: little at night, most at noon. */
export const rateOfDay = (part: number): number => 0.1 + 0.9 * Math.sin(Math.PI * part) ** 2;

export interface FaultKind {
  readonly name: string;
  /** For how long the cause stays. */
  readonly holdMs: number;
  /** Where it may occur; one is chosen. */
  readonly places: readonly string[];
}

export interface PlannedFault {
  readonly atMs: number;
  readonly name: string;
  readonly place: string;
}

/** From the end of one fault to the next, on average. With it every kind of fault has its turn in five minutes. */
const GAP_MS = 7_000;

/** Every kind once in a random order, and again until the time is over. The last fault ends before that. */
export function planOf(kinds: readonly FaultKind[], seed: number, lengthMs: number): PlannedFault[] {
  const random = randomOf(seed);
  const plan: PlannedFault[] = [];
  let left: FaultKind[] = [];
  let freeMs = 0;
  for (;;) {
    if (left.length === 0) left = shuffled(kinds, random);
    const { name, holdMs, places } = left.shift()!;
    const atMs = Math.round(freeMs + GAP_MS * (0.5 + random()));
    freeMs = atMs + holdMs;
    if (freeMs > lengthMs) return plan;
    plan.push({ atMs, name, place: oneOf(places, random) });
  }
}
