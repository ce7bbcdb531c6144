import type { TireSize } from '@tire/contracts/events';
import type { Field } from '../../field';

/**
 * The spelling of a size: `225/45R17`. ZR, RF for run-flat tires, and spaces are also accepted. The thin stroke is missed once in thirty
 * times.
 */
const spellingOf = ({ sectionWidthMm, aspectRatioPercent, rimDiameterInch }: TireSize) =>
  `${sectionWidthMm}/${aspectRatioPercent}R${rimDiameterInch}`;
const NO_STROKE = Math.log(0.031);

/**
 * Characters that are read in place of a character of a size, and how often that character stands there when they are read inside a size.
 * Counted by training/confusions.py, 6 to 15 times each, Z 338 times. Pairs that were never counted but look alike have one half. No digit
 * stands for another digit or for the stroke: that would be another size. D, B and - do not stand for R: they mark other tires.
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

/** A row of the table of sizes. */
export interface ListedSize {
  readonly size: TireSize;
  /** One of the few sizes that most cars on the road have. */
  readonly isCommon: boolean;
}

export interface Reading {
  readonly size: TireSize;
  readonly isCommon?: boolean;
  /** Log probability of the spelling minus that of the likeliest text in the same frames: 0 where the size is that text. */
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

/** A prefix tree of all spellings. Parents stand before their children. */
interface Tree {
  /** -1 at the first character of a spelling. */
  readonly parents: Int32Array;
  readonly columns: Int32Array;
  /** For a character behind the stroke, the character in front of the stroke, since the stroke may be missed; otherwise -1. */
  readonly beforeStroke: Int32Array;
  /** The column that may stand behind this character beside a blank: Z of ZR, F of RF. */
  readonly between: Int32Array;
  readonly ends: readonly { readonly at: number; readonly listed: ListedSize }[];
}

/**
 * Finds sizes of the table in a recognizer's output (frames x characters, column 0 is the blank). Each spelling is aligned to its best
 * stretch of frames; text in front and behind costs nothing. Sizes outside the table cannot result.
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
    const order = Array.from(likeliest.keys()).sort((a, b) => likeliest[b]! - likeliest[a]!);
    return order.slice(0, KEPT).map((i) => ({ ...this.tree.ends[i]!.listed, logLikelihood: likeliest[i]! }));
  }
}

const BLANK = 0;

interface Alike {
  readonly to: number;
  readonly from: number;
  readonly cost: number;
}

/** More than one, because other readings of the same place may favour a size that is not first here. */
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

/** The cost of each character in each frame. A character that spans several frames counts once. */
function relativeLog({ width, height, data }: Field, alike: readonly Alike[]): Float64Array {
  const cost = new Float64Array(data.length);
  const tops = Array.from({ length: height }, (_, t) => topOf(data.subarray(t * width, (t + 1) * width)));
  const runs = runsOf(tops);
  const plain = new Float64Array(width);
  for (let t = 0; t < height; t++) {
    const length = runs[t]!;
    const row = data.subarray(t * width, (t + 1) * width);
    const top = Math.log(Math.max(1e-9, row[tops[t]!]!));
    const at = t * width;
    for (let c = 0; c < width; c++) plain[c] = cost[at + c] = (Math.log(Math.max(1e-9, row[c]!)) - top) / length;
    for (const { to, from, cost: more } of alike) cost[at + to] = Math.max(cost[at + to]!, plain[from]! - more / length);
  }
  return cost;
}

/** For each frame, the length of its run of frames with the same likeliest character. Blanks count singly. */
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
 * Viterbi over character, gap, character and so on, for each spelling. A gap is optional except between equal characters. Nodes are updated
 * from last to first, so that each still finds its parent's value of the previous frame. Comparisons are quicker than `Math.max`.
 */
function aligned({ parents, columns, beforeStroke, between, ends }: Tree, cost: Float64Array, width: number, space: number): Float64Array {
  const on = new Float64Array(parents.length).fill(-Infinity);
  const after = new Float64Array(parents.length).fill(-Infinity);
  const best = new Float64Array(ends.length).fill(-Infinity);
  for (let row = 0; row < cost.length; row += width) {
    const blank = Math.max(cost[row]!, cost[row + space]!);
    for (let i = parents.length - 1; i >= 0; i--) {
      const before = parents[i]!;
      const column = columns[i]!;
      const wide = beforeStroke[i]!;
      const stayed = on[i]!;
      const rested = after[i]!;
      let from = stayed;
      const came = before < 0 ? 0 : columns[before] === column || after[before]! > on[before]! ? after[before]! : on[before]!;
      if (came > from) from = came;
      if (wide >= 0) {
        const missed = (columns[wide] === column || after[wide]! > on[wide]! ? after[wide]! : on[wide]!) + NO_STROKE;
        if (missed > from) from = missed;
      }
      const gap = cost[row + between[i]!]!;
      after[i] = (rested > stayed ? rested : stayed) + (gap > blank ? gap : blank);
      on[i] = from + cost[row + column]!;
    }
    for (let i = 0; i < ends.length; i++) {
      const reached = on[ends[i]!.at]!;
      if (reached > best[i]!) best[i] = reached;
    }
  }
  return best;
}
