import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts';
import { isUuid, systemClock, type Clock } from '@tire/kernel';
import { Database, grpcClient, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { AssetUsage } from './asset-usage';
import { Checker, type CheckResult } from './checker';
import { Cleaner } from './cleaner';
import { CleaningStore } from './cleaning.store';
import { cleaningSettings, configSchema, type Config } from './config';
import { ALL_OBJECTS, projectPrefix } from './domain/object-key';
import { Inspection } from './inspection';
import { configuredStore } from './object-store/configured-store';

const USAGE = `usage: admin check [--project ID] [--json]
       admin clean [--project ID] [--json] [--as-of TIME]

check compares the object store with the database and changes nothing: orphans are bytes that nothing refers to any more, missing
are images whose bytes are gone. It ends with 1 when there are any. clean removes the orphans at once; it ends with 1 when some of
them could not be removed. --as-of judges ages as at that time (an ISO date); it is refused in production.`;

interface Order {
  readonly command: 'check' | 'clean';
  readonly projectId: string | undefined;
  readonly asOf: Date | undefined;
  readonly json: boolean;
}

function parseOrder(args: string[]): Order | undefined {
  const options = { project: { type: 'string' }, 'as-of': { type: 'string' }, json: { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [command, ...rest] = positionals;
  const asOf = values['as-of'] === undefined ? undefined : new Date(values['as-of']);
  if ((command !== 'check' && command !== 'clean') || rest.length > 0) return undefined;
  if ((values.project !== undefined && !isUuid(values.project)) || Number.isNaN(asOf?.getTime())) return undefined;
  return { command, projectId: values.project, asOf, json: values.json ?? false };
}

const counts = (rows: Record<string, number>): string =>
  Object.entries(rows)
    .map(([name, count]) => `${name.padEnd(12)}${String(count).padStart(12)}\n`)
    .join('');

const table = ({ orphans, names, objects, rows, foreign, missing }: CheckResult): string =>
  counts({ objects, rows, foreign, ...orphans, missing }) + names.map(({ key, finding }) => `${finding.padEnd(12)}${key}\n`).join('');

async function run({ command, projectId, asOf, json }: Order, config: Config, print: Surroundings['print']): Promise<number> {
  if (asOf && config.NODE_ENV === 'production') throw new Error('--as-of is refused in production');
  const clock: Clock = asOf ? { now: () => asOf } : systemClock;
  const objects = configuredStore(config, clock);
  const source = new DataSource({ type: 'postgres', url: config.DATABASE_URL, poolSize: 4, applicationName: 'assets-admin' });
  const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL);
  await source.initialize();
  try {
    const store = new CleaningStore(new Database(source));
    const settings = cleaningSettings(config);
    const inspection = new Inspection(objects, clock, settings, new AssetUsage(ledger, clock, settings), store);
    const prefix = projectId ? projectPrefix(projectId) : ALL_OBJECTS;
    if (command === 'clean') {
      const cleaned = await new Cleaner(objects, clock, inspection, store).cleanAll(prefix);
      print(json ? `${JSON.stringify(cleaned)}\n` : counts({ ...cleaned }));
      return cleaned.failed > 0 ? 1 : 0;
    }
    const checker = new Checker(objects, store, inspection);
    await checker.findOrphans(prefix);
    await checker.findMissing(projectId);
    const { result } = checker;
    print(json ? `${JSON.stringify(result)}\n` : table(result));
    return result.names.length > 0 ? 1 : 0;
  } finally {
    await source.destroy();
    ledger.onApplicationShutdown();
  }
}

/** What the command is run with, and where its words go. */
export interface Surroundings {
  /** Its own environment where none is given. */
  readonly env?: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Gives the exit code. */
export async function administer(args: string[], { env, print, complain }: Surroundings): Promise<number> {
  try {
    const order = parseOrder(args);
    if (order) return await run(order, parseEnvironment(configSchema, env), print);
    complain(`${USAGE}\n`);
    return 2;
  } catch (error) {
    complain(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
