import type { TireSize } from '@tire/contracts';
import type { Field } from '../field';

/** How a size is written: `225/45R17`, or with ZR; spaces anywhere. */
const spellings = (size: TireSize) => {
  const [width, aspect, rim] = [size.sectionWidthMm, size.aspectRatioPercent, size.rimDiameterInch];
  return [`${width}/${aspect}R${rim}`, `${width}/${aspect}ZR${rim}`];
};

export interface Reading {
  readonly size: TireSize;
  /** Log probability of the spelling over that of the likeliest text in the same frames: 0 when it is what stands there. */
  readonly logLikelihood: number;
}

export function parseSizeTable(csv: string): TireSize[] {
  const rows = csv.trim().split(/\r?\n/).slice(1);
  return rows.map((row) => {
    const [width, aspect, rim] = row.split(',').map(Number);
    if (!Number.isInteger(width) || !Number.isInteger(aspect) || !Number.isInteger(rim)) throw new Error(`not a size: ${row}`);
    return { sectionWidthMm: width!, aspectRatioPercent: aspect!, rimDiameterInch: rim! };
  });
}

/**
 * Finds the sizes of the table in a recognizer's output (frames x characters, column 0 the blank): every spelling is aligned to the
 * best stretch of frames, text before and after it is free. A size that is not in the table cannot come out.
 */
export class SizeDecoder {
  private readonly candidates: readonly { size: TireSize; columns: readonly number[] }[];
  private readonly space: number;

  constructor(sizes: readonly TireSize[], characters: readonly string[]) {
    const column = new Map(characters.map((character, i) => [character, i + 1]));
    const columnOf = (character: string) => {
      const found = column.get(character);
      if (found === undefined) throw new Error(`the recognizer does not know ${character}`);
      return found;
    };
    this.space = columnOf(' ');
    this.candidates = sizes.flatMap((size) => spellings(size).map((text) => ({ size, columns: [...text].map(columnOf) })));
  }

  /** The two likeliest sizes, best first. */
  read(probabilities: Field): Reading[] {
    const cost = relativeLog(probabilities);
    const gaps = Float64Array.from({ length: probabilities.height }, (_, t) =>
      Math.max(cost[t * probabilities.width]!, cost[t * probabilities.width + this.space]!),
    );
    const best = new Map<TireSize, number>();
    for (const { size, columns } of this.candidates) {
      const value = align(columns, cost, gaps, probabilities.width);
      if (value > (best.get(size) ?? -Infinity)) best.set(size, value);
    }
    const readings = [...best].map(([size, logLikelihood]) => ({ size, logLikelihood }));
    return readings.sort((a, b) => b.logLikelihood - a.logLikelihood).slice(0, 2);
  }
}

function relativeLog({ width, height, data }: Field): Float64Array {
  const cost = new Float64Array(data.length);
  for (let t = 0; t < height; t++) {
    const row = data.subarray(t * width, (t + 1) * width);
    const top = Math.log(Math.max(1e-9, Math.max(...row)));
    row.forEach((p, c) => (cost[t * width + c] = Math.log(Math.max(1e-9, p)) - top));
  }
  return cost;
}

/** Viterbi over character, gap, character, ...: a gap may be left out unless two equal characters meet. */
function align(columns: readonly number[], cost: Float64Array, gaps: Float64Array, width: number): number {
  const states = 2 * columns.length - 1;
  let before = new Float64Array(states).fill(-Infinity);
  let now = new Float64Array(states);
  let best = -Infinity;
  for (let t = 0; t < gaps.length; t++) {
    for (let s = 0; s < states; s++) {
      const isCharacter = s % 2 === 0;
      let from = Math.max(before[s]!, s > 0 ? before[s - 1]! : 0);
      if (isCharacter && s > 1 && columns[s / 2] !== columns[s / 2 - 1]) from = Math.max(from, before[s - 2]!);
      now[s] = from + (isCharacter ? cost[t * width + columns[s / 2]!]! : gaps[t]!);
    }
    best = Math.max(best, now[states - 1]!);
    [before, now] = [now, before];
  }
  return best;
}

export interface Vote {
  readonly size: TireSize;
  readonly confidence: number;
}

/** All readings vote with their likelihood; a runner-up in the same text takes away from the winner. Undefined: nothing is sure enough. */
export function elect(readings: readonly (readonly Reading[])[], minConfidence: number): Vote | undefined {
  const weights = new Map<TireSize, number>();
  let strongest: Vote | undefined;
  for (const [first, second] of readings) {
    if (!first) continue;
    const likelihood = Math.exp(first.logLikelihood);
    const rival = second ? Math.exp(second.logLikelihood) : 0;
    const weight = (likelihood * likelihood) / (likelihood + rival + 1e-12);
    weights.set(first.size, (weights.get(first.size) ?? 0) + weight);
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  for (const [size, weight] of weights) {
    const confidence = Math.min(1, weight) * (weight / (total + 1e-12));
    if (!strongest || confidence > strongest.confidence) strongest = { size, confidence };
  }
  return strongest && strongest.confidence >= minConfidence ? strongest : undefined;
}
