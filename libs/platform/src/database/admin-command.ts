import { systemClock } from '@tire/kernel';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { parseEnvironment } from '../config/environment';
import { databaseConfig } from '../config/shapes';
import { resealAll } from '../sealing/reseal';
import type { SealedColumn } from '../sealing/sealed-column';
import { sealingConfig, type SealingKeys } from '../sealing/sealing';
import { createDataSource } from './data-source';
import { Database } from './database';

/** The outcome is printed as JSON. */
export type AdminCommand = (
  database: Database,
  keys: SealingKeys,
  now: Date,
) => Promise<{ readonly output: object; readonly code: number }>;

type Values<Name extends string> = Readonly<Partial<Record<Name, string>>>;

export interface AdminOptions<Name extends string> {
  readonly service: string;
  readonly sealedColumns: readonly SealedColumn[];
  /** The service's own command; `reseal` comes with this one. */
  readonly command: string;
  readonly options: readonly Name[];
  /** How the command is called, and what it does. */
  readonly synopsis: string;
  readonly description: string;
  /** Null if the values are not valid: the usage is printed. */
  read(values: Values<Name>): AdminCommand | null;
  /** Commands without options. */
  readonly also?: Readonly<Record<string, { readonly description: string; readonly command: AdminCommand }>>;
}

const RESEAL = `reseal: seals again, with the first key of SEALING_KEYS, what an older key sealed. It may be interrupted and repeated, beside the service.
It ends with status 1 while something is sealed with another key.`;

function commandOf<Name extends string>(args: string[], admin: AdminOptions<Name>): AdminCommand | null {
  const options = Object.fromEntries(admin.options.map((name) => [name, { type: 'string' as const }]));
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.join() === 'reseal') return (database, keys) => resealAll(database, keys, admin.sealedColumns);
  const also = admin.also?.[positionals.join()];
  if (also) return also.command;
  return positionals.join() === admin.command ? admin.read(values as Values<Name>) : null;
}

async function run<Name extends string>(args: string[], admin: AdminOptions<Name>): Promise<number> {
  const command = commandOf(args, admin);
  if (!command) {
    const { synopsis, description, also = {} } = admin;
    const others = Object.entries(also);
    const usages = [synopsis, ...others.map(([name]) => name), 'reseal'].map((usage) => `admin ${usage}`).join('\n       ');
    const descriptions = [description, ...others.map(([name, other]) => `${name}: ${other.description}`), RESEAL].join('\n\n');
    process.stderr.write(`usage: ${usages}\n\n${descriptions}\n`);
    return 2;
  }
  const { DATABASE_URL: url, SEALING_KEYS: keys } = parseEnvironment(z.object({ ...databaseConfig, ...sealingConfig }));
  const source = createDataSource({ url, poolSize: 1, applicationName: `${admin.service}-admin` });
  await source.initialize();
  try {
    const { output, code } = await command(new Database(source), keys, systemClock.now());
    process.stdout.write(`${JSON.stringify(output)}\n`);
    return code;
  } finally {
    await source.destroy();
  }
}

/** The body of apps/x/src/admin.ts, for the operator of a service with sealed columns. */
export async function runAdminCommand<Name extends string>(admin: AdminOptions<Name>): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), admin);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
