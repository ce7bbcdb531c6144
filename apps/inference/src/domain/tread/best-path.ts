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
  /** No later path crosses these columns of a row. */
  clear(row: number, from: number, to: number): void;
}

const CLEARED = -1;
const START = 2;

/**
 * Searches again and again, each time without what was cleared. The scores of a row follow from the row above, so a search computes only
 * the columns that were cleared and those below them whose scores change. Changes the response.
 */
export function pathSearch({ width, height, data }: Field, { bias, stepPenalty }: PathCosts): PathSearch {
  const score = new Float32Array(width * height);
  const cameFrom = new Int8Array(width * height).fill(START);
  const bestOfRow = new Int32Array(height);
  // The columns of each row to compute: at first all, later what was cleared. None where `until` is not above `from`.
  const from = new Int32Array(height).fill(1);
  const until = new Int32Array(height).fill(width - 1);

  /** Computes columns of a row, and returns the first and the last one whose score changed. */
  const compute = (y: number, first: number, end: number): readonly [first: number, last: number] => {
    let [changedFrom, changedTo] = [width, -1];
    for (let x = first; x < end; x++) {
      const at = y * width + x;
      let previous = 0;
      let move = START;
      if (y > 0) {
        const above = at - width;
        const [left, straight, right] = [score[above - 1]! - stepPenalty, score[above]!, score[above + 1]! - stepPenalty];
        if (straight > previous) {
          previous = straight;
          move = 0;
        }
        if (left > previous) {
          previous = left;
          move = -1;
        }
        if (right > previous) {
          previous = right;
          move = 1;
        }
      }
      const before = score[at]!;
      score[at] = Math.max(0, previous + data[at]! - bias);
      cameFrom[at] = move;
      if (score[at] !== before) {
        if (changedTo < 0) changedFrom = x;
        changedTo = x;
      }
    }
    return [changedFrom, changedTo];
  };

  const bestIn = (y: number): number => {
    let best = y * width;
    for (let at = best + 1; at < (y + 1) * width; at++) if (score[at]! > score[best]!) best = at;
    return best;
  };

  const update = () => {
    let [changedFrom, changedTo] = [width, -1];
    for (let y = 0; y < height; y++) {
      const first = Math.max(1, Math.min(from[y]!, changedFrom - 1));
      const end = Math.min(width - 1, Math.max(until[y]!, changedTo + 2));
      from[y] = width;
      until[y] = 0;
      [changedFrom, changedTo] = first < end ? compute(y, first, end) : [width, -1];
      if (changedTo >= 0) bestOfRow[y] = bestIn(y);
    }
  };

  return {
    best() {
      update();
      let best = 0;
      for (const at of bestOfRow) if (score[at]! > score[best]!) best = at;
      return score[best]! > 0 ? followBack({ width, height, data }, cameFrom, best, score[best]!) : undefined;
    },
    clear(row, first, last) {
      data.fill(CLEARED, row * width + first, row * width + last + 1);
      from[row] = Math.min(from[row]!, first);
      until[row] = Math.max(until[row]!, last + 1);
    },
  };
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
