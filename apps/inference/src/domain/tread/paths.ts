import type { Field } from '../field';

/** A line traced from row to row: `xs[i]` is its column in row `top + i` of the upright frame. */
export interface Path {
  readonly top: number;
  readonly xs: readonly number[];
  /** Mean response along the path, and the sum above the bias that made it win. */
  readonly strength: number;
  readonly score: number;
}

export interface TraceOptions {
  readonly bias: number;
  readonly stepPenalty: number;
  readonly minLength: number;
  readonly minSpacing: number;
  readonly maxPaths: number;
}

/**
 * Longest dark lines first. Each is the best-scoring path from top to bottom whose column moves by at most one a row; a gap costs the
 * bias for each row, so that a broken groove stays one and a line ends where nothing follows (the idea of Smith and Waterman).
 */
export function tracePaths(response: Field, options: TraceOptions): Path[] {
  const work = { ...response, data: Float32Array.from(response.data) };
  const paths: Path[] = [];
  for (let attempt = 0; attempt < options.maxPaths * 3 && paths.length < options.maxPaths; attempt++) {
    const path = bestPath(work, options);
    if (!path) break;
    erase(work, path, options.minSpacing);
    if (path.xs.length >= options.minLength) paths.push(path);
    else if (path.score < options.bias * options.minLength * 0.3) break;
  }
  return paths;
}

export function bestPath(response: Field, { bias, stepPenalty }: Pick<TraceOptions, 'bias' | 'stepPenalty'>): Path | undefined {
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

function erase(response: Field, path: Path, spacing: number): void {
  const reach = Math.round(spacing);
  const first = Math.max(0, path.top - 2 * reach);
  const last = Math.min(response.height - 1, path.top + path.xs.length - 1 + 2 * reach);
  for (let y = first; y <= last; y++) {
    const x = path.xs[Math.min(path.xs.length - 1, Math.max(0, y - path.top))]!;
    response.data.fill(-1, y * response.width + Math.max(0, x - reach), y * response.width + Math.min(response.width - 1, x + reach) + 1);
  }
}
