import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

export interface Servers {
  readonly env?: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

async function runIn(start: () => Promise<Servers>, [command, ...args]: readonly string[]): Promise<number> {
  if (!command) throw new Error('Name the command to run');
  // Ctrl-C reaches the command too. The servers stop after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child?.kill(signal));
  let child: ChildProcess | undefined;
  const { env, stop } = await start();
  try {
    return await new Promise<number>((resolve, reject) => {
      child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    await stop();
  }
}

/** A prerequisite is missing. The command is skipped, which is not a failure. */
export class Unavailable extends Error {}

/** Starts servers, runs the command that the arguments name, and stops the servers after it. */
export function runCommandIn(start: () => Promise<Servers>): void {
  runIn(start, process.argv.slice(2)).then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(error instanceof Unavailable ? 0 : 1);
    },
  );
}
