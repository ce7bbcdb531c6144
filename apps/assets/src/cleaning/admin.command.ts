import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { isUuid, systemClock, type Clock } from '@tire/kernel';
import { callSigner, createDataSource, Database, grpcClient, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { AssetUsage } from '../assets/asset-usage';
import { Checker, type CheckResult } from './checker';
import { Cleaner } from './cleaner';
import { cleaningSettings, configSchema, type Config } from '../config';
import { ALL_OBJECTS, projectPrefix } from '../domain/object-key';
import { Inspection } from './inspection';
import { exportGauge } from '../training/gauge-export';
import { configuredStore } from '../object-store/configured-store';

const USAGE = `usage: admin check [--project ID] [--json]
       admin clean [--project ID] [--json] [--as-of TIME]
       admin export-gauge --project ID --out FOLDER

check compares the object store with the database and changes nothing. Orphans are bytes without a reference; missing are images
whose bytes are gone. The exit code is 1 if there are any. clean removes the orphans now; the exit code is 1 if some of them could
not be removed. --as-of judges ages as of that time (an ISO date); it is refused in production.

export-gauge writes photographs with gauge values, in the form that calibrate and finetune.py of inference read, into a new folder.
It is refused where the project does not allow it.`;

interface Command {
  readonly command: 'check' | 'clean' | 'export-gauge';
  readonly projectId: string | undefined;
  readonly asOf: Date | undefined;
  readonly json: boolean;
  /** Only for export-gauge. */
  readonly out: string | undefined;
}

function parseCommand(args: string[]): Command | undefined {
  const options = { project: { type: 'string' }, 'as-of': { type: 'string' }, out: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [command, ...rest] = positionals;
  const asOf = values['as-of'] === undefined ? undefined : new Date(values['as-of']);
  if ((command !== 'check' && command !== 'clean' && command !== 'export-gauge') || rest.length > 0) return undefined;
  if (command === 'export-gauge' && (values.project === undefined || values.out === undefined)) return undefined;
  if ((values.project !== undefined && !isUuid(values.project)) || Number.isNaN(asOf?.getTime())) return undefined;
  return { command, projectId: values.project, asOf, json: values.json ?? false, out: values.out };
}

const counts = (rows: Record<string, number>): string =>
  Object.entries(rows)
    .map(([name, count]) => `${name.padEnd(12)}${String(count).padStart(12)}\n`)
    .join('');

const table = ({ orphans, names, objects, rows, foreign, missing }: CheckResult): string =>
  counts({ objects, rows, foreign, ...orphans, missing }) + names.map(({ key, finding }) => `${finding.padEnd(12)}${key}\n`).join('');

async function run({ command, projectId, asOf, json, out }: Command, config: Config, print: CommandContext['print']): Promise<number> {
  if (asOf && config.NODE_ENV === 'production') throw new Error('--as-of is refused in production');
  const clock: Clock = asOf ? { now: () => asOf } : systemClock;
  const objects = configuredStore(config, clock);
  const source = createDataSource({ url: config.DATABASE_URL, poolSize: 4, applicationName: 'assets-admin' });
  const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL, {
    signer: callSigner('assets', config),
  });
  await source.initialize();
  try {
    const database = new Database(source);
    if (command === 'export-gauge') {
      const exported = await exportGauge({ objects, database, ledger }, projectId!, out!);
      print(json ? `${JSON.stringify(exported)}\n` : counts({ ...exported }));
      return 0;
    }
    const settings = cleaningSettings(config);
    const inspection = new Inspection(objects, clock, settings, new AssetUsage(ledger, clock, settings), database);
    const prefix = projectId ? projectPrefix(projectId) : ALL_OBJECTS;
    if (command === 'clean') {
      const cleaned = await new Cleaner(objects, clock, inspection, database).cleanAll(prefix);
      print(json ? `${JSON.stringify(cleaned)}\n` : counts({ ...cleaned }));
      return cleaned.failed > 0 ? 1 : 0;
    }
    const checker = new Checker(objects, database, inspection);
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

export interface CommandContext {
  /** The environment of the process by default. */
  readonly env?: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Returns the exit code. */
export async function runAdmin(args: string[], { env, print, printError }: CommandContext): Promise<number> {
  try {
    const command = parseCommand(args);
    if (command) return await run(command, parseEnvironment(configSchema, env), print);
    printError(`${USAGE}\n`);
    return 2;
  } catch (error) {
    printError(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
