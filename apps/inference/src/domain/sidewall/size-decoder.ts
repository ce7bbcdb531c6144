import type { TireSize } from '@tire/contracts';
import type { Field } from '../field';

/**
 * How a size is written: `225/45R17`, with ZR, or with RF where the tire runs flat; spaces anywhere. A thin stroke is missed once in
 * thirty times.
 */
const spellingOf = ({ sectionWidthMm, aspectRatioPercent, rimDiameterInch }: TireSize) =>
  `${sectionWidthMm}/${aspectRatioPercent}R${rimDiameterInch}`;
const NO_STROKE = Math.log(0.031);

/**
 * What is read where a character of a size stands, and how often that character stands there, of the times that it is read within sizes;
 * counted by training/confusions.py. What was never read there, by what it looks like, half the time. No digit for another one: that
 * would be another size, and counts say how rarely one stands for a stroke. Nor D, B or - for R, which are other tires.
 */
const LOOK_ALIKES: readonly (readonly [read: string, stands: string, share: number])[] = [
  ['S', '5', 0.5],
  ['S', '6', 0.17],
  ['S', '9', 0.17],
  ['S', '2', 0.08],
  ['S', '8', 0.08],
  ['E', '6', 0.38],
  ['E', '3', 0.25],
  ['E', '5', 0.25],
  ['E', '1', 0.12],
  ['O', '0', 0.86],
  ['O', '8', 0.14],
  ['D', '0', 0.67],
  ['P', '2', 0.87],
  ['P', 'R', 0.13],
  ['Z', '2', 0.012],
  ['I', '1', 0.5],
  ['l', '1', 0.5],
  ['|', '1', 0.5],
  ['i', '1', 0.5],
  ['o', '0', 0.5],
  ['Q', '0', 0.5],
  ['z', '2', 0.5],
  ['s', '5', 0.5],
  ['G', '6', 0.5],
  ['b', '6', 0.5],
  ['B', '8', 0.5],
  ['r', 'R', 0.5],
  ['K', 'R', 0.5],
  ['|', '/', 0.5],
  ['7', '/', 0.0015],
  ['1', '/', 0.0004],
];

/** A row of the table of sizes that exist. */
export interface ListedSize {
  readonly size: TireSize;
  /** One of the few that most cars on the road have. */
  readonly isCommon: boolean;
}

export interface Reading {
  readonly size: TireSize;
  readonly isCommon?: boolean;
  /** Log probability of the spelling over that of the likeliest text in the same frames: 0 when it is what stands there. */
  readonly logLikelihood: number;
}

export function parseSizeTable(csv: string): ListedSize[] {
  const [head, ...rows] = csv.trim().split(/\r?\n/);
  const common = head!.split(',').indexOf('kr_common');
  return rows.map((row) => {
    const cells = row.split(',').map(Number);
    const [width, aspect, rim] = cells;
    if (!Number.isInteger(width) || !Number.isInteger(aspect) || !Number.isInteger(rim)) throw new Error(`not a size: ${row}`);
    return { size: { sectionWidthMm: width!, aspectRatioPercent: aspect!, rimDiameterInch: rim! }, isCommon: cells[common] === 1 };
  });
}

/** Characters of all spellings, each after the one before it; what begins alike is there once. */
interface Tree {
  /** -1 where a spelling begins. A character comes after its parent. */
  readonly parents: Int32Array;
  readonly columns: Int32Array;
  /** Of the character before the stroke, where this one comes after a stroke: that may be missed. -1 elsewhere. */
  readonly beforeStroke: Int32Array;
  /** What may stand between this character and the next one beside a blank: the Z of ZR, the F of RF. */
  readonly between: Int32Array;
  readonly ends: readonly { readonly at: number; readonly listed: ListedSize }[];
}

/**
 * Finds the sizes of the table in a recognizer's output (frames x characters, column 0 the blank): every spelling is aligned to the
 * best stretch of frames, text before and after it is free. A size that is not in the table cannot come out.
 */
export class SizeDecoder {
  private readonly tree: Tree;
  private readonly space: number;
  private readonly alike: readonly Alike[];

  constructor(sizes: readonly ListedSize[], characters: readonly string[]) {
    const column = new Map(characters.map((character, i) => [character, i + 1]));
    const columnOf = (character: string) => {
      const found = column.get(character);
      if (found === undefined) throw new Error(`the recognizer does not know ${character}`);
      return found;
    };
    this.space = columnOf(' ');
    this.tree = treeOf(sizes, columnOf);
    this.alike = LOOK_ALIKES.filter(([read]) => column.has(read)).map(([read, stands, share]) => ({
      from: columnOf(read),
      to: columnOf(stands),
      cost: -Math.log(share),
    }));
  }

  /** The likeliest sizes, best first. */
  read(probabilities: Field): Reading[] {
    const likeliest = aligned(this.tree, relativeLog(probabilities, this.alike), probabilities.width, this.space);
    const readings = this.tree.ends.map(({ listed }, i) => ({ ...listed, logLikelihood: likeliest[i]! }));
    return readings.sort((a, b) => b.logLikelihood - a.logLikelihood).slice(0, KEPT);
  }
}

const BLANK = 0;

interface Alike {
  readonly to: number;
  readonly from: number;
  readonly cost: number;
}

/** Other looks at the same place may say more for one that is not the first here. */
const KEPT = 12;

function treeOf(sizes: readonly ListedSize[], columnOf: (character: string) => number): Tree {
  const [parents, columns, between]: [number[], number[], number[]] = [[], [], []];
  const known = new Map<string, number>();
  const ends = sizes.map((listed) => {
    const text = spellingOf(listed.size);
    let at = -1;
    for (let length = 1; length <= text.length; length++) {
      const beginning = text.slice(0, length);
      const next = known.get(beginning) ?? parents.push(at) - 1;
      if (next === columns.length) {
        columns.push(columnOf(text[length - 1]!));
        between.push(text[length] === 'R' ? columnOf('Z') : text[length - 1] === 'R' ? columnOf('F') : BLANK);
      }
      known.set(beginning, next);
      at = next;
    }
    return { at, listed };
  });
  const stroke = columnOf('/');
  const beforeStroke = parents.map((at) => (at >= 0 && columns[at] === stroke ? parents[at]! : -1));
  const [parent, column, before, other] = [parents, columns, beforeStroke, between].map((numbers) => Int32Array.from(numbers));
  return { parents: parent!, columns: column!, beforeStroke: before!, between: other!, ends };
}

/** What each character costs in each frame. A character that the recognizer sees in several frames on end is seen once. */
function relativeLog({ width, height, data }: Field, alike: readonly Alike[]): Float64Array {
  const cost = new Float64Array(data.length);
  const tops = Array.from({ length: height }, (_, t) => topOf(data.subarray(t * width, (t + 1) * width)));
  const runs = runsOf(tops);
  for (let t = 0; t < height; t++) {
    const length = runs[t]!;
    const row = data.subarray(t * width, (t + 1) * width);
    const top = Math.log(Math.max(1e-9, row[tops[t]!]!));
    const at = t * width;
    row.forEach((p, c) => (cost[at + c] = (Math.log(Math.max(1e-9, p)) - top) / length));
    const plain = cost.slice(at, at + width);
    for (const { to, from, cost: more } of alike) cost[at + to] = Math.max(cost[at + to]!, plain[from]! - more / length);
  }
  return cost;
}

/** For each frame, of how many on end it is one that have the same likeliest character; gaps count one by one. */
function runsOf(tops: readonly number[]): number[] {
  const runs = tops.map(() => 1);
  let to = 0;
  for (let from = 0; from < tops.length; from = to) {
    while (to < tops.length && tops[to] === tops[from]) to++;
    if (tops[from] !== BLANK) runs.fill(to - from, from, to);
  }
  return runs;
}

function topOf(row: Float32Array): number {
  let top = 0;
  for (let c = 1; c < row.length; c++) if (row[c]! > row[top]!) top = c;
  return top;
}

/**
 * Viterbi over character, gap, character, ... for each end of the tree: a gap may be left out unless two equal characters meet. From the
 * last character to the first, so that each still finds its parent as it was a frame before.
 */
function aligned({ parents, columns, beforeStroke, between, ends }: Tree, cost: Float64Array, width: number, space: number): Float64Array {
  const on = new Float64Array(parents.length).fill(-Infinity);
  const after = new Float64Array(parents.length).fill(-Infinity);
  const best = new Float64Array(ends.length).fill(-Infinity);
  const comingFrom = (before: number, column: number) =>
    columns[before] === column ? after[before]! : Math.max(on[before]!, after[before]!);
  for (let row = 0; row < cost.length; row += width) {
    const blank = Math.max(cost[row]!, cost[row + space]!);
    for (let i = parents.length - 1; i >= 0; i--) {
      const [before, column, wide] = [parents[i]!, columns[i]!, beforeStroke[i]!];
      let from = before >= 0 ? comingFrom(before, column) : 0;
      if (wide >= 0) from = Math.max(from, comingFrom(wide, column) + NO_STROKE);
      const stayed = on[i]!;
      after[i] = Math.max(after[i]!, stayed) + Math.max(blank, cost[row + between[i]!]!);
      on[i] = Math.max(stayed, from) + cost[row + column]!;
    }
    ends.forEach(({ at }, i) => (best[i] = Math.max(best[i]!, on[at]!)));
  }
  return best;
}

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
export function fused(looks: readonly (readonly Reading[])[]): Reading[] {
  const told = looks.filter((look) => look.length > 0);
  const sizes = new Map(told.flatMap((look) => look.map(({ size, isCommon }) => [size, isCommon])));
  const [first, second] = [...sizes]
    .map(([size, isCommon]) => {
      const likelihoods = told.map((look) => look.find((reading) => reading.size === size)?.logLikelihood ?? -Infinity);
      const all = likelihoods.reduce((sum, likelihood) => sum + Math.log(DOUBT + Math.exp(likelihood)), 0);
      const clear = clearHalf(likelihoods);
      return { size, all: all / Math.sqrt(told.length) + (isCommon && clear > SEEN ? COMMON : 0), clear };
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
