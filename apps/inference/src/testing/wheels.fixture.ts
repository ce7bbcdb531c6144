import { tempDir } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SidewallScene } from '../samples/sidewall-sample';

/** Runs in a process of its own, as the samples do. */
export async function drawnWheels<Name extends string>(scenes: Record<Name, SidewallScene>): Promise<(name: Name) => Promise<Buffer>> {
  const folder = await tempDir();
  const hook = join(__dirname, '../../../../deploy/typescript-hook.cjs');
  await promisify(execFile)(process.execPath, [hook, join(__dirname, 'draw-wheels.fixture.ts'), folder, JSON.stringify(scenes)]);
  return (name) => readFile(join(folder, `${name}.jpg`));
}
