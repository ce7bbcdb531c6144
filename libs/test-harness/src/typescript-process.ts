import { spawn, type ChildProcess } from 'node:child_process';
import { repositoryRoot } from './infrastructure';

/** Transpiles as the tests do; libraries are found by the paths in .swcrc. */
const HOOK = `
  const { transformFileSync } = require('@swc/core');
  require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, { sourceMaps: 'inline' }).code, file);
  require(process.argv[1]);`;

/** Runs a TypeScript file of this repository in a separate Node process with a message channel, for a test that kills it. */
export function spawnTypeScript(
  file: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  streams: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  return spawn(process.execPath, ['--enable-source-maps', '-e', HOOK, file, ...args], {
    cwd: repositoryRoot(),
    env: { ...process.env, ...env },
    stdio: [streams === 'pipe' ? 'pipe' : 'ignore', streams, streams, 'ipc'],
  });
}
