import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { startInfrastructure } from './infrastructure';

/** Runs a command with Postgres and NATS at hand, started once for all that it runs: with-infrastructure <command> <arguments…> */
async function main([command, ...args]: string[]): Promise<number> {
  if (!command) throw new Error('Name the command to run');
  // Ctrl-C reaches the command too; what was started here ends after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child?.kill(signal));
  let child: ReturnType<typeof spawn> | undefined;
  const stop = await startInfrastructure();
  try {
    return await new Promise<number>((resolve, reject) => {
      child = spawn(command, args, { stdio: 'inherit' });
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    await stop();
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
