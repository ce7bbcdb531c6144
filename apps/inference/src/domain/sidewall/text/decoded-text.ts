import type { Field } from '../../field';

/** The text that a recognizer reads without a table, and the probability of each character. */
export interface DecodedText {
  readonly text: string;
  readonly certainty: readonly number[];
}

const BLANK = 0;

/**
 * Greedy CTC decoding: the likeliest character of each frame, repeats written once. `Field` is frames x characters; column 0 is the blank.
 */
export function decodeGreedily({ width, height, data }: Field, characters: readonly string[]): DecodedText {
  const [letters, certainty]: [string[], number[]] = [[], []];
  let before = BLANK;
  for (let t = 0; t < height; t++) {
    let best = BLANK;
    for (let c = 1; c < width; c++) if (data[t * width + c]! > data[t * width + best]!) best = c;
    const probability = data[t * width + best]!;
    if (best !== BLANK && best === before) certainty.push(Math.max(certainty.pop()!, probability));
    else if (best !== BLANK) {
      letters.push(characters[best - 1]!);
      certainty.push(probability);
    }
    before = best;
  }
  return { text: letters.join(''), certainty };
}

/** Upper case without spaces: spacing on sidewalls is arbitrary. */
export function compact({ text, certainty }: DecodedText): DecodedText {
  const kept = [...text]
    .map((letter, i) => ({ letter: letter.toUpperCase(), certainty: certainty[i]! }))
    .filter(({ letter }) => letter !== ' ');
  return { text: kept.map(({ letter }) => letter).join(''), certainty: kept.map(({ certainty }) => certainty) };
}

/** The product of the probabilities of characters `from` to `to`, the last one excluded. */
export const certaintyOf = ({ certainty }: DecodedText, from = 0, to = certainty.length): number =>
  certainty.slice(from, to).reduce((product, certainty) => product * certainty, 1);

const MIN_LETTERS = 3;
const MIN_CERTAINTY = 0.6;

/** Whether this is text at all: ornaments, spokes and tread blocks give characters of low probability. */
export const isLegible = ({ text, certainty }: DecodedText): boolean =>
  text.length >= MIN_LETTERS && certainty.reduce((sum, certainty) => sum + certainty, 0) / text.length >= MIN_CERTAINTY;
