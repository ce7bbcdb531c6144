/** Fewer rounds show no range. */
export const ROUNDS_MIN = 5;

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The percentile by the nearest rank. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? NaN;

export interface Range {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export const rangeOf = (values: readonly number[]): Range => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

export function rangeText(values: readonly number[], print: (value: number) => string): string {
  const range = rangeOf(values);
  return `${print(range.median)} (${print(range.min)} to ${print(range.max)})`;
}

export type Verdict = 'yes' | 'no' | 'not sure';

/** Whether a figure keeps a goal: in every round, in none, or not sure. */
export function isAtMost(values: readonly number[], goal: number): Verdict {
  if (values.length < ROUNDS_MIN) return 'not sure';
  const { min, max } = rangeOf(values);
  if (max <= goal) return 'yes';
  return min > goal ? 'no' : 'not sure';
}

/** As `isAtMost`, for a figure that must reach its goal. */
export function isAtLeast(values: readonly number[], goal: number): Verdict {
  const below = values.map((value) => -value);
  return isAtMost(below, -goal);
}

/** A share of a whole as a text. Few rounds show none, and noise of the machine makes impossible ones. */
export function shareText(share: number, rounds: number, text: (share: number) => string): string {
  return rounds >= ROUNDS_MIN && share >= 0 && share <= 1 ? text(share) : 'not sure';
}

export interface Difference extends Range {
  /** False where the range is wider than the difference. */
  readonly isSure: boolean;
}

/** What `other` takes more than `one`, round by round, so that other load of a round is in both. */
export function differenceOf(one: readonly number[], other: readonly number[]): Difference {
  const range = rangeOf(other.map((value, round) => value - one[round]!));
  return { ...range, isSure: one.length >= ROUNDS_MIN && range.max - range.min <= Math.abs(range.median) };
}
