import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Works from the source tree and from dist/. */
function repositoryRoot(folder = __dirname): string {
  return existsSync(join(folder, 'nx.json')) ? folder : repositoryRoot(dirname(folder));
}

export const REPOSITORY_ROOT = repositoryRoot();
/** The files beside `src`. */
export const HERE = join(REPOSITORY_ROOT, 'deploy/cluster');

/** Keeps programs and image layers from one run to the next. */
export const CACHE =
  process.env['TIRE_CLUSTER_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tire-inspection/cluster');

export const VERSIONS = { kubernetes: '1.33.13', coredns: '1.12.4' } as const;
/** The registry in the names of images. Nothing serves it: the images are imported. */
export const REGISTRY = 'registry.local';
