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
 * What is read where a character of a size stands, and how often that character stands there, of the times that it is read within sizes:
 * counted by training/confusions.py, of 6 to 15 times each, Z of 338. What was never read there, by what it looks like, half the time. No
 * digit for another one or for the stroke: that would be another size. Nor D, B or - for R, which are other tires.
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
  const [parents, columns]: [number[], number[]] = [[], []];
  const known = new Map<string, number>();
  const ends = sizes.map((listed) => {
    const text = spellingOf(listed.size);
    let at = -1;
    for (let length = 1; length <= text.length; length++) {
      const beginning = text.slice(0, length);
      const next = known.get(beginning) ?? parents.push(at) - 1;
      if (next === columns.length) columns.push(columnOf(text[length - 1]!));
      known.set(beginning, next);
      at = next;
    }
    return { at, listed };
  });
  const [stroke, radial] = [columnOf('/'), columnOf('R')];
  const beforeStroke = Int32Array.from(parents, (at) => (at >= 0 && columns[at] === stroke ? parents[at]! : -1));
  const between = Int32Array.from(columns, (column) => (column === radial ? columnOf('F') : BLANK));
  parents.forEach((at, i) => {
    if (at >= 0 && columns[i] === radial) between[at] = columnOf('Z');
  });
  return { parents: Int32Array.from(parents), columns: Int32Array.from(columns), beforeStroke, between, ends };
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
