import type { TireSize } from '@tire/contracts';
import type { Reading } from './size-decoder';

export interface Vote {
  readonly size: TireSize;
  readonly confidence: number;
}

/** How much a line speaks for its likeliest size: a runner-up in the same text takes away from the winner. */
export function weightOf([first, second]: readonly Reading[]): number {
  if (!first) return 0;
  const likelihood = Math.exp(first.logLikelihood);
  const rival = second ? Math.exp(second.logLikelihood) : 0;
  return (likelihood * likelihood) / (likelihood + rival + 1e-12);
}

/** What a look that reads nothing leaves of each size. */
const DOUBT = 0.01;
/** A size of the table that is nearly what stands there is likelier than any text with as many letters wrong. */
const TEMPER = 0.5;
const NOTHING = -20;
/** Beside a common size that is somehow seen, a rare one has to be seen more clearly. Tempered: common ones are some forty times as frequent. */
const COMMON = 1.2;
const SEEN = -5;

/** Looks at one place, which show the same text more or less well: what they say together, the two likeliest sizes first. */
export function fused(readings: readonly (readonly Reading[])[]): Reading[] {
  const nonEmpty = readings.filter((reading) => reading.length > 0);
  const sizes = new Map(nonEmpty.flatMap((reading) => reading.map(({ size, isCommon }) => [size, isCommon])));
  const [first, second] = [...sizes]
    .map(([size, isCommon]) => {
      const likelihoods = nonEmpty.map((reading) => reading.find((reading) => reading.size === size)?.logLikelihood ?? -Infinity);
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

/** Mean of the better half: some looks are spoilt, but one alone may be mistaken. */
function clearHalf(likelihoods: readonly number[]): number {
  const half = likelihoods.toSorted((a, b) => b - a).slice(0, Math.ceil(likelihoods.length / 2));
  return half.reduce((sum, likelihood) => sum + Math.max(NOTHING, likelihood), 0) / half.length;
}

/**
 * All readings vote with their weight, and what was read that is no such size has `against`. Sizes rival each other by the square of
 * what they have together: what is read into ornaments is half likely and another size in each place, and the size is nearly sure. Undefined: nothing is sure enough.
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
