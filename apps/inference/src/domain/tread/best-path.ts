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

export function bestPath(response: Field, { bias, stepPenalty }: PathCosts): Path | undefined {
  const { width, height, data } = response;
  const score = new Float32Array(width * height);
  const cameFrom = new Int8Array(width * height);
  let best = 0;
  let bestAt = -1;
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      let previous = 0;
      let move = 2;
      if (y > 0) {
        const above = at - width;
        if (score[above]! > previous) [previous, move] = [score[above]!, 0];
        if (score[above - 1]! - stepPenalty > previous) [previous, move] = [score[above - 1]! - stepPenalty, -1];
        if (score[above + 1]! - stepPenalty > previous) [previous, move] = [score[above + 1]! - stepPenalty, 1];
      }
      const value = Math.max(0, previous + data[at]! - bias);
      score[at] = value;
      cameFrom[at] = move;
      if (value > best) [best, bestAt] = [value, at];
    }
  }
  return bestAt < 0 ? undefined : followBack(response, cameFrom, bestAt, best);
}

function followBack(response: Field, cameFrom: Int8Array, end: number, score: number): Path {
  const xs: number[] = [];
  let sum = 0;
  let at = end;
  for (;;) {
    xs.push(at % response.width);
    sum += response.data[at]!;
    const move = cameFrom[at]!;
    if (move === 2 || at < response.width) break;
    at += move - response.width;
  }
  return { top: Math.floor(at / response.width), xs: xs.reverse(), strength: sum / xs.length, score };
}
