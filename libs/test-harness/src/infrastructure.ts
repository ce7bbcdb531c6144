import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureNatsBinary } from './nats-binary';
import { startPostgres } from './postgres';
import { RUN_FOLDER, tempDir } from './scratch';

const POSTGRES_URL = 'TIRE_TEST_POSTGRES_URL';
const NATS_BINARY = 'TIRE_NATS_BINARY';

/** From the source tree and from dist/ alike. */
export function repositoryRoot(folder = __dirname): string {
  if (existsSync(join(folder, 'nx.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`${__dirname} lies in no Nx workspace`);
  return repositoryRoot(parent);
}

/** What this run of tests stands on, as its launcher announced it. */
export function infrastructureOfThisRun(): { postgresUrl: string; natsBinary: string } {
  const postgresUrl = process.env[POSTGRES_URL];
  const natsBinary = process.env[NATS_BINARY];
  if (!postgresUrl || !natsBinary) throw new Error('No infrastructure: the project needs `infrastructure: true` in its jest.config.cjs');
  return { postgresUrl, natsBinary };
}

/** Starts what the environment does not already name, announces it there, and returns how to end it. */
export async function startInfrastructure(): Promise<() => Promise<void>> {
  if (!process.env[NATS_BINARY]) process.env[NATS_BINARY] = await ensureNatsBinary(join(repositoryRoot(), '.local/cache'));
  const ownFolder = process.env[RUN_FOLDER] ? undefined : await tempDir();
  if (ownFolder) process.env[RUN_FOLDER] = ownFolder;
  const postgres = process.env[POSTGRES_URL]
    ? undefined
    : await startPostgres({ dataDir: join(await tempDir(), 'postgres'), durable: false });
  if (postgres) process.env[POSTGRES_URL] = postgres.url;
  return async () => {
    await postgres?.stop();
    // A server that a test forgot may be writing its last file.
    if (ownFolder) await rm(ownFolder, { recursive: true, force: true, maxRetries: 5 });
  };
}
