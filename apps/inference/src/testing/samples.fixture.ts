import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from '../samples/render-samples';

export interface Samples {
  find(imageType: string, position: string): Sample;
  read(imageType: string, position: string): Promise<Buffer>;
}

/** Runs in a process of its own: in Jest's sandbox every access to Math is so slow that drawing takes ten times as long. */
export async function drawnSamples(): Promise<Samples> {
  const project = join(__dirname, '../..');
  const command = [
    join(project, '../../deploy/typescript-hook.cjs'),
    join(project, 'src/commands/render-samples.ts'),
    await mkdtemp(join(tmpdir(), 'samples-')),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  const samples = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample);
  const find = (imageType: string, position: string) => {
    const found = samples.find(({ slot }) => slot.image_type === imageType && slot.position === position);
    if (!found) throw new Error(`no sample of ${imageType} ${position}`);
    return found;
  };
  return { find, read: (imageType, position) => readFile(find(imageType, position).file) };
}
