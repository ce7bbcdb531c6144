import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY_ROOT, sampleImages } from '@tire/local-stack';
import { imagesFolder } from './sample-images';

declare global {
  var stackUnderTest: { launcher: ChildProcess; folder: string } | undefined;
}

const START_DEADLINE_MS = 120_000;

/** Starts the stack from the built programs, in a temporary folder and on free ports. With STACK_DIR the tests use a running one. */
export default async function startStack(): Promise<void> {
  if (process.env['STACK_DIR']) return drawImages();
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
  await drawImages();
}

const drawImages = async (): Promise<void> => {
  if (!existsSync(imagesFolder())) await sampleImages(imagesFolder());
};
