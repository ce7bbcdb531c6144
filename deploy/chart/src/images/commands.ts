import { spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const LINES_SHOWN = 40;

/** Runs a program to its end and returns its standard output. On failure the error has the last lines of its output. */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, all] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    output += String(bytes);
    all += String(bytes);
  });
  child.stderr.on('data', (bytes: Buffer) => (all += String(bytes)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const last = all.trim().split('\n').slice(-LINES_SHOWN).join('\n');
      reject(new Error(`${program} ${args[0] ?? ''} ended with ${signal ?? `code ${code}`}:\n${last}`));
    });
  });
}

/** Prints a step and its duration. */
export async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`  ${what} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
  return result;
}
