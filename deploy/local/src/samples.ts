import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Slot } from '@tire/kernel';
import { nodeProgram, runProgram } from './programs';

export type Images = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Eight rendered photographs by their path on an image host; `/tread.front_left.jpg`: the slot is in the name. */
export async function sampleImages(folder: string): Promise<Images> {
  await runProgram(nodeProgram('inference', 'samples/render.js'), [folder], {});
  const names = (await readdir(folder)).filter((name) => /^(tread|sidewall)\.(front|rear)_(left|right)\.jpg$/.test(name));
  if (names.length !== 8) throw new Error(`Expected 8 sample photographs in ${folder}, found ${names.length}`);
  return new Map(await Promise.all(names.map(async (name) => [`/${name}`, new Uint8Array(await readFile(join(folder, name)))] as const)));
}

export function slotOfSample(path: string): Slot {
  const [image_type, position] = path.slice(1, -'.jpg'.length).split('.');
  return { image_type, position } as Slot;
}
