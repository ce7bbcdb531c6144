import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from './infrastructure';

/** Runs a TypeScript file of this repository in a separate Node process with a message channel, for a test that kills it. */
export function spawnTypeScript(
  file: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  streams: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  const root = repositoryRoot();
  return spawn(process.execPath, ['--enable-source-maps', join(root, 'deploy/typescript-hook.cjs'), file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: [streams === 'pipe' ? 'pipe' : 'ignore', streams, streams, 'ipc'],
  });
}
