import type { Field } from '../field';

/** A line traced from row to row: `xs[i]` is its column in row `top + i` of the upright frame. */
export interface Path {
  readonly top: number;
  readonly xs: readonly number[];
  /** Mean response along the path, and the sum above the bias, by which the path was chosen. */
  readonly strength: number;
  readonly score: number;
}

export interface PathCosts {
  readonly bias: number;
  readonly stepPenalty: number;
}

export interface PathSearch {
  /** The path with the best score. */
  best(): Path | undefined;
  /** Later paths avoid these columns of a row: their response becomes negative. */
  clear(row: number, from: number, to: number): void;
}

const CLEARED = -1;
const START = 2;

/**
 * Searches again and again, each time without what was cleared. The scores of a row follow from the row above, so a search computes only
 * the columns that were cleared and those below them whose scores change. Changes the response.
 */
export function pathSearch(response: Field, costs: PathCosts): PathSearch {
  const { width, height, data } = response;
  const scores = new Scores(response, costs);
  const bestOfRow = Int32Array.from({ length: height }, (_, y) => y * width);
  // The columns of each row to compute: at first all, later what was cleared. None where `until` is not above `from`.
  const from = new Int32Array(height).fill(1);
  const until = new Int32Array(height).fill(width - 1);

  const update = () => {
    scores.noneChanged();
    for (let y = 0; y < height; y++) {
      const first = Math.max(1, Math.min(from[y]!, scores.changedFrom - 1));
      const end = Math.min(width - 1, Math.max(until[y]!, scores.changedUntil + 1));
      from[y] = width;
      until[y] = 0;
      scores.noneChanged();
      if (first < end) scores.compute(y, first, end);
      if (scores.changedUntil > 0) bestOfRow[y] = scores.bestIn(y, bestOfRow[y]! - y * width);
    }
  };

  return {
    best() {
      update();
      const best = bestOfRow.reduce((most, at) => (scores.at(at) > scores.at(most) ? at : most), 0);
      return scores.at(best) > 0 ? followBack(response, scores.cameFrom, best, scores.at(best)) : undefined;
    },
    clear(row, first, last) {
      data.fill(CLEARED, row * width + first, row * width + last + 1);
      from[row] = Math.min(from[row]!, first);
      until[row] = Math.max(until[row]!, last + 1);
    },
  };
}

class Scores {
  /** With a row of zeros above the first one. */
  private readonly scores: Float32Array;
  readonly cameFrom: Int8Array;
  /** The columns of the last row that was computed, from the first to the last one whose score changed. */
  changedFrom = 0;
  changedUntil = 0;

  constructor(
    private readonly response: Field,
    private readonly costs: PathCosts,
  ) {
    this.scores = new Float32Array(response.width * (response.height + 1));
    this.cameFrom = new Int8Array(response.data.length).fill(START);
  }

  at(pixel: number): number {
    return this.scores[pixel + this.response.width]!;
  }

  noneChanged(): void {
    this.changedFrom = this.response.width;
    this.changedUntil = 0;
  }

  compute(y: number, first: number, end: number): void {
    const { scores, cameFrom } = this;
    const { width, data } = this.response;
    const { bias, stepPenalty } = this.costs;
    const row = y * width;
    let changedFrom = width;
    let changedUntil = 0;
    let left = scores[row + first - 1]!;
    let straight = scores[row + first]!;
    for (let x = first; x < end; x++) {
      const right = scores[row + x + 1]!;
      let previous = 0;
      let move = START;
      if (straight > 0) {
        previous = straight;
        move = 0;
      }
      if (left - stepPenalty > previous) {
        previous = left - stepPenalty;
        move = -1;
      }
      if (right - stepPenalty > previous) {
        previous = right - stepPenalty;
        move = 1;
      }
      const score = Math.fround(Math.max(0, previous + data[row + x]! - bias));
      cameFrom[row + x] = move;
      if (score !== scores[row + width + x]!) {
        scores[row + width + x] = score;
        if (changedUntil === 0) changedFrom = x;
        changedUntil = x + 1;
      }
      left = straight;
      straight = right;
    }
    this.changedFrom = changedFrom;
    this.changedUntil = changedUntil;
  }

  /** The pixel of the last row that was computed with the highest score, among equals the first one; before, it was in column `before`. */
  bestIn(y: number, before: number): number {
    const { scores, changedFrom, changedUntil } = this;
    const { width } = this.response;
    const row = (y + 1) * width;
    const isKept = before < changedFrom || before >= changedUntil;
    const [from, until] = isKept ? [changedFrom, changedUntil] : [0, width];
    let best = isKept ? before : 0;
    let most = scores[row + best]!;
    for (let x = from; x < until; x++) {
      const score = scores[row + x]!;
      if (score > most || (score === most && x < best)) {
        most = score;
        best = x;
      }
    }
    return y * width + best;
  }
}

function followBack(response: Field, cameFrom: Int8Array, end: number, score: number): Path {
  const xs: number[] = [];
  let sum = 0;
  let at = end;
  for (;;) {
    xs.push(at % response.width);
    sum += response.data[at]!;
    const move = cameFrom[at]!;
    if (move === START || at < response.width) break;
    at += move - response.width;
  }
  return { top: Math.floor(at / response.width), xs: xs.reverse(), strength: sum / xs.length, score };
}
