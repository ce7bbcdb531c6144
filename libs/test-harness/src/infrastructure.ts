import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureNatsBinary } from './nats-binary';
import { startPostgres } from './postgres';
import { RUN_FOLDER, tempDir } from './scratch';

const POSTGRES_URL = 'TIRE_TEST_POSTGRES_URL';
const NATS_BINARY = 'TIRE_NATS_BINARY';

/** Works from the source tree and from dist/. */
export function repositoryRoot(folder = __dirname): string {
  if (existsSync(join(folder, 'nx.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`${__dirname} lies in no Nx workspace`);
  return repositoryRoot(parent);
}

/** The servers of this test run, from the environment that its launcher set. */
export function infrastructureOfThisRun(): { postgresUrl: string; natsBinary: string } {
  const postgresUrl = process.env[POSTGRES_URL];
  const natsBinary = process.env[NATS_BINARY];
  if (!postgresUrl || !natsBinary) throw new Error('No infrastructure: the project needs `infrastructure: true` in its jest.config.cjs');
  return { postgresUrl, natsBinary };
}

/** Starts the servers that the environment does not name, adds them to the environment, and returns a function that stops them. */
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
    // A server that a test did not stop may still write a file.
    if (ownFolder) await rm(ownFolder, { recursive: true, force: true, maxRetries: 5 });
  };
}
