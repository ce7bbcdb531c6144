import type { Field } from '../field';

/** What a recognizer reads where nothing guides it, and how sure it is of each character. */
export interface DecodedText {
  readonly text: string;
  readonly certainty: readonly number[];
}

const BLANK = 0;

/** The likeliest character of each frame; a run of one and the same is written once. Frames x characters, column 0 the blank. */
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

/** In capitals and without spaces, as sidewalls are spaced anyhow. */
export function compact({ text, certainty }: DecodedText): DecodedText {
  const kept = [...text]
    .map((letter, i) => ({ letter: letter.toUpperCase(), certainty: certainty[i]! }))
    .filter(({ letter }) => letter !== ' ');
  return { text: kept.map(({ letter }) => letter).join(''), certainty: kept.map(({ certainty }) => certainty) };
}

/** Of all characters from one to another, the last left out. */
export const certaintyOf = ({ certainty }: DecodedText, from = 0, to = certainty.length): number =>
  certainty.slice(from, to).reduce((product, certainty) => product * certainty, 1);

const LEAST_LETTERS = 3;
const MIN_CERTAINTY = 0.6;

/** Whether it is writing at all: ornaments, spokes and tread blocks are read as letters that nobody is sure of. */
export const isLegible = ({ text, certainty }: DecodedText): boolean =>
  text.length >= LEAST_LETTERS && certainty.reduce((sum, certainty) => sum + certainty, 0) / text.length >= MIN_CERTAINTY;
