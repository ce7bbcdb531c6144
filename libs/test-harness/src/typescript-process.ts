import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from './infrastructure';

/** Runs a TypeScript file of this repository in a separate Node process with a message channel, for a test that kills it. `within` runs it. */
export function spawnTypeScript(
  file: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  streams: 'inherit' | 'pipe' = 'inherit',
  within: readonly string[] = [],
): ChildProcess {
  const root = repositoryRoot();
  const command = [process.execPath, '--enable-source-maps', join(root, 'deploy/typescript-hook.cjs'), file, ...args];
  const [program, ...rest] = [...within, ...command];
  return spawn(program!, rest, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: [streams === 'pipe' ? 'pipe' : 'ignore', streams, streams, 'ipc'],
  });
}
