/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const oneOf = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)]!;

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

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
