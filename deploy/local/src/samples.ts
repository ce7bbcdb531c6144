import { readFile } from 'node:fs/promises';
import type { Slot } from '@tire/kernel';
import { nodeProgram, runProgram } from './programs';

export interface Sample {
  readonly slot: Slot;
  /** The path on the partner's image host. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Eight rendered images, one a slot, made by a command of the inference service. */
export async function sampleImages(folder: string): Promise<Sample[]> {
  const printed = await runProgram(nodeProgram('inference', 'commands/render-samples.js'), [folder], {});
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { slot: Slot; file: string });
  const samples = lines.map(async ({ slot, file }) => ({
    slot,
    path: `/${slot.image_type}.${slot.position}.jpg`,
    bytes: new Uint8Array(await readFile(file)),
  }));
  return Promise.all(samples);
}
