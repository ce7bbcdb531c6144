import type { Field } from '../field';

/** What a recognizer reads where nothing guides it, and how sure it is of each character. */
export interface Spelled {
  readonly text: string;
  readonly sureness: readonly number[];
}

const BLANK = 0;

/** The likeliest character of each frame; a run of one and the same is written once. Frames x characters, column 0 the blank. */
export function spell({ width, height, data }: Field, characters: readonly string[]): Spelled {
  const [letters, sureness]: [string[], number[]] = [[], []];
  let before = BLANK;
  for (let t = 0; t < height; t++) {
    let best = BLANK;
    for (let c = 1; c < width; c++) if (data[t * width + c]! > data[t * width + best]!) best = c;
    const probability = data[t * width + best]!;
    if (best !== BLANK && best === before) sureness.push(Math.max(sureness.pop()!, probability));
    else if (best !== BLANK) {
      letters.push(characters[best - 1]!);
      sureness.push(probability);
    }
    before = best;
  }
  return { text: letters.join(''), sureness };
}

/** In capitals and without spaces, as sidewalls are spaced anyhow. */
export function compact({ text, sureness }: Spelled): Spelled {
  const kept = [...text].map((letter, i) => ({ letter: letter.toUpperCase(), sure: sureness[i]! })).filter(({ letter }) => letter !== ' ');
  return { text: kept.map(({ letter }) => letter).join(''), sureness: kept.map(({ sure }) => sure) };
}

/** Of all characters from one to another, the last left out. */
export const surenessOf = ({ sureness }: Spelled, from = 0, to = sureness.length): number =>
  sureness.slice(from, to).reduce((product, sure) => product * sure, 1);

const LEAST_LETTERS = 3;
const LEAST_SURE = 0.6;

/** Whether it is writing at all: ornaments, spokes and tread blocks are read as letters that nobody is sure of. */
export const isLegible = ({ text, sureness }: Spelled): boolean =>
  text.length >= LEAST_LETTERS && sureness.reduce((sum, sure) => sum + sure, 0) / text.length >= LEAST_SURE;
