import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY_ROOT, sampleImages } from '@tire/local-stack';
import { photographsFolder } from './photographs';

declare global {
  var stackUnderTest: { launcher: ChildProcess; folder: string } | undefined;
}

const START_DEADLINE_MS = 120_000;

/** The stack as a newcomer starts it: the built programs, a folder of its own, free ports. STACK_DIR joins one that runs already. */
export default async function startStack(): Promise<void> {
  if (process.env['STACK_DIR']) return drawPhotographs();
  execFileSync(process.execPath, ['deploy/build.mjs'], { cwd: REPOSITORY_ROOT, stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'tire-stack-'));
  const launcher = spawn(process.execPath, ['dist/deploy/local/src/start.js'], {
    cwd: REPOSITORY_ROOT,
    env: { ...process.env, STACK_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  globalThis.stackUnderTest = { launcher, folder };
  process.env['STACK_DIR'] = folder;
  const deadlineMs = Date.now() + START_DEADLINE_MS;
  while (!(await readFile(join(folder, 'stack.json')).catch(() => undefined))) {
    if (launcher.exitCode !== null || Date.now() > deadlineMs) throw new Error('The local stack did not start');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await drawPhotographs();
}

const drawPhotographs = async (): Promise<void> => {
  if (!existsSync(photographsFolder())) await sampleImages(photographsFolder());
};
