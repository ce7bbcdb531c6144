import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Works from the source tree and from dist/. */
function repositoryRoot(folder = __dirname): string {
  return existsSync(join(folder, 'nx.json')) ? folder : repositoryRoot(dirname(folder));
}

export const REPOSITORY_ROOT = repositoryRoot();
export const SOURCES = join(REPOSITORY_ROOT, 'docs/guide');
