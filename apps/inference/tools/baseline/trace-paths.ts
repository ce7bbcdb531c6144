import type { Field } from '../../src/domain/field';
import { bestPath, type Path, type PathCosts } from '../../src/domain/tread/best-path';

interface TraceOptions extends PathCosts {
  readonly minLength: number;
  readonly minSpacing: number;
  readonly maxPaths: number;
}

/**
 * Longest dark lines first. Each is the best-scoring path from top to bottom whose column moves by at most one a row. A gap costs the bias
 * for each row, so that an interrupted groove stays one path (local alignment, Smith and Waterman).
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

function erase(response: Field, path: Path, spacing: number): void {
  const reach = Math.round(spacing);
  const first = Math.max(0, path.top - 2 * reach);
  const last = Math.min(response.height - 1, path.top + path.xs.length - 1 + 2 * reach);
  for (let y = first; y <= last; y++) {
    const x = path.xs[Math.min(path.xs.length - 1, Math.max(0, y - path.top))]!;
    response.data.fill(-1, y * response.width + Math.max(0, x - reach), y * response.width + Math.min(response.width - 1, x + reach) + 1);
  }
}
