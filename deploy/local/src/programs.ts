import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from './stack-file';

export const nodeProgram = (app: string, file: string, build = REPOSITORY_ROOT): string => join(build, 'dist/apps', app, 'src', file);

/** Runs one of our commands and returns its output. The error of a failed command contains its output. */
export async function runProgram(program: string, args: string[], environment: Record<string, string>, input?: string): Promise<string> {
  const running = promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'development', LOG_LEVEL: 'warn', ...environment },
  });
  running.child.stdin?.end(input);
  const { stdout } = await running.catch((error: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error(`${program} ${args[0] ?? ''} failed:\n${error.stdout ?? ''}${error.stderr || error.message}`);
  });
  return stdout;
}
