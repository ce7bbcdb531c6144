import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackFile } from '@tire/local-stack';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Ctrl-C must leave no process behind. This is checked at the end of every run. */
export default async function stopStack(): Promise<void> {
  if (!globalThis.stackUnderTest) return;
  const { launcher, folder } = globalThis.stackUnderTest;
  const { pids } = JSON.parse(await readFile(join(folder, 'stack.json'), 'utf8')) as StackFile;
  const exited = once(launcher, 'exit');
  launcher.kill('SIGINT');
  const [code] = await exited;
  const left = Object.entries(pids).filter(([, pid]) => isAlive(pid));
  if (code !== 0 || left.length) throw new Error(`The stack ended with code ${code} and left ${JSON.stringify(left)}`);
  await rm(folder, { recursive: true, force: true });
}
