import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureNatsBinary } from './nats-binary';
import { startPostgres } from './postgres';
import { tempDir } from './scratch';
import { scratchRoot, serverUser } from './unprivileged';

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
  if (process.env[POSTGRES_URL]) return async () => undefined;
  const folder = await tempDir('tire-test-postgres-', scratchRoot(serverUser()));
  const postgres = await startPostgres({ dataDir: join(folder, 'data'), durable: false });
  process.env[POSTGRES_URL] = postgres.url;
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
    delete process.env[POSTGRES_URL];
  };
}
