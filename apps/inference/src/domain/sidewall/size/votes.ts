import type { TireSize } from '@tire/contracts/events';
import type { Reading } from './size-decoder';

export interface Vote {
  readonly size: TireSize;
  readonly confidence: number;
}

/** The weight of a line's vote for its likeliest size: a runner-up in the same text takes weight from the winner. */
export function weightOf([first, second]: readonly Reading[]): number {
  if (!first) return 0;
  const likelihood = Math.exp(first.logLikelihood);
  const rival = second ? Math.exp(second.logLikelihood) : 0;
  return (likelihood * likelihood) / (likelihood + rival + 1e-12);
}

/** The probability that remains for a size in a reading that misses it. */
const DOUBT = 0.01;
/** A size of the table that nearly matches is likelier than any text with as many wrong letters. */
const TEMPER = 0.5;
const NOTHING = -20;
/** Bonus of a common size that is visible at all; common sizes are some forty times as frequent. The value is tempered. */
const COMMON = 1.2;
const SEEN = -5;

/** Fuses readings of one place, which show the same text more or less clearly: the two likeliest sizes, best first. */
export function fused(readings: readonly (readonly Reading[])[]): Reading[] {
  const nonEmpty = readings.filter((reading) => reading.length > 0);
  const sizes = new Map(nonEmpty.flatMap((reading) => reading.map(({ size, isCommon }) => [size, isCommon])));
  const [first, second] = [...sizes]
    .map(([size, isCommon]) => {
      const likelihoods = nonEmpty.map((reading) => reading.find((one) => one.size === size)?.logLikelihood ?? -Infinity);
      const all = likelihoods.reduce((sum, likelihood) => sum + Math.log(DOUBT + Math.exp(likelihood)), 0);
      const clear = clearHalf(likelihoods);
      return { size, all: all / Math.sqrt(nonEmpty.length) + (isCommon && clear > SEEN ? COMMON : 0), clear };
    })
    .sort((a, b) => b.all - a.all);
  if (!first) return [];
  const logLikelihood = TEMPER * first.clear;
  return [
    { size: first.size, logLikelihood },
    ...(second ? [{ size: second.size, logLikelihood: logLikelihood + second.all - first.all }] : []),
  ];
}

/** Mean of the better half: some readings are spoilt, but a single one may be wrong. */
function clearHalf(likelihoods: readonly number[]): number {
  const half = likelihoods.toSorted((a, b) => b - a).slice(0, Math.ceil(likelihoods.length / 2));
  return half.reduce((sum, likelihood) => sum + Math.max(NOTHING, likelihood), 0) / half.length;
}

/**
 * Log likelihoods of two sizes in one text. A text that shows another size at least this likely, and the elected one less likely by at least
 * the difference, contradicts it: tools/evaluate-wheels.ts --kind contradicting has what that finds, the model card has its cost.
 */
const [SURE, APART] = [-1, 5];

/** Whether the readings of one text surely show another size than this one, whichever it is. */
export function showsAnotherThan(size: TireSize, readings: readonly (readonly Reading[])[]): boolean {
  const nonEmpty = readings.filter((reading) => reading.length > 0);
  if (nonEmpty.length === 0) return false;
  const clear = (of: TireSize) => clearHalf(nonEmpty.map((reading) => reading.find((one) => one.size === of)?.logLikelihood ?? NOTHING));
  const others = new Set(nonEmpty.flatMap((reading) => reading.map((one) => one.size)).filter((other) => other !== size));
  const another = Math.max(NOTHING, ...[...others].map(clear));
  return another >= SURE && clear(size) <= another - APART;
}

/**
 * All readings vote with their weight; `against` is the weight of texts that are no such size. Sizes compete by the square of their total
 * weight: text read into ornaments gives a different, half likely size in each place. Undefined where no size reaches the threshold.
 */
export function elect(readings: readonly (readonly Reading[])[], minConfidence: number, against = 0): Vote | undefined {
  const weights = new Map<TireSize, number>();
  let strongest: Vote | undefined;
  for (const line of readings) {
    const [first] = line;
    if (first) weights.set(first.size, (weights.get(first.size) ?? 0) + weightOf(line));
  }
  const all = [...weights.values()].reduce((sum, weight) => sum + weight ** 2, against ** 2);
  for (const [size, weight] of weights) {
    const confidence = Math.min(1, weight) * (weight ** 2 / (all + 1e-12));
    if (!strongest || confidence > strongest.confidence) strongest = { size, confidence };
  }
  return strongest && strongest.confidence >= minConfidence ? strongest : undefined;
}
