import { sharedFolder } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from '../samples/render-samples';

export interface Samples {
  find(imageType: string, position: string): Sample;
  read(imageType: string, position: string): Promise<Buffer>;
}

const LIST = 'samples.jsonl';

/** Runs in a process of its own: in Jest's sandbox every access to Math is so slow that drawing takes ten times as long. */
async function draw(folder: string): Promise<void> {
  const project = join(__dirname, '../..');
  const command = [join(project, '../../deploy/typescript-hook.cjs'), join(project, 'src/commands/render-samples.ts'), folder];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  await writeFile(join(folder, LIST), stdout);
}

export async function drawnSamples(): Promise<Samples> {
  const folder = await sharedFolder('samples', draw);
  const samples = (await readFile(join(folder, LIST), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
    .map((sample) => ({ ...sample, file: join(folder, basename(sample.file)) }));
  const find = (imageType: string, position: string) => {
    const found = samples.find(({ slot }) => slot.image_type === imageType && slot.position === position);
    if (!found) throw new Error(`no sample of ${imageType} ${position}`);
    return found;
  };
  return { find, read: (imageType, position) => readFile(find(imageType, position).file) };
}
