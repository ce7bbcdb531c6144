import '@tire/platform/register';
import { parseEnvironment, runMigrateCommand } from '@tire/platform';
import { Readable } from 'node:stream';
import { administer } from '../administration/administration';
import { adminConfig } from '../config';
import { MIGRATIONS } from '../migrations';

/** A command of the operator. The parent sends one after the other. */
export interface AdminMessage {
  readonly args: string[];
  readonly input: string;
}

/** The gateway of browser tests. It migrates its database, serves, and runs commands: three programs that load their modules once. */
async function main(): Promise<void> {
  process.on('message', ({ args, input }: AdminMessage) => {
    administer(args, Readable.from([input]), () => parseEnvironment(adminConfig).DATABASE_URL).then(
      (output) => process.send?.({ output }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  await runMigrateCommand({ name: 'gateway', migrations: MIGRATIONS });
  if (!process.exitCode) await import('../main');
}

void main();
