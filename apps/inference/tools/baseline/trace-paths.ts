import type { Field } from '../../src/domain/field';
import { pathSearch, type Path, type PathCosts, type PathSearch } from '../../src/domain/tread/best-path';

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
  const search = pathSearch({ ...response, data: response.data.slice() }, options);
  const paths: Path[] = [];
  for (let attempt = 0; attempt < options.maxPaths * 3 && paths.length < options.maxPaths; attempt++) {
    const path = search.best();
    if (!path) break;
    erase(search, response, path, options.minSpacing);
    if (path.xs.length >= options.minLength) paths.push(path);
    else if (path.score < options.bias * options.minLength * 0.3) break;
  }
  return paths;
}

function erase(search: PathSearch, response: Field, path: Path, spacing: number): void {
  const reach = Math.round(spacing);
  const first = Math.max(0, path.top - 2 * reach);
  const last = Math.min(response.height - 1, path.top + path.xs.length - 1 + 2 * reach);
  for (let y = first; y <= last; y++) {
    const x = path.xs[Math.min(path.xs.length - 1, Math.max(0, y - path.top))]!;
    search.clear(y, Math.max(0, x - reach), Math.min(response.width - 1, x + reach));
  }
}
