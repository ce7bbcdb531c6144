import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeImage, type DecodeLimits, type RgbImage } from '../imaging/decode';
import { figuresOf, type Analysis } from '../models/outcome';
import type { ModelFolder } from '../models/repository';

/**
 * Differences between the golden image's figures and the manifest. The run also warms up the sessions, whose allocations later runs reuse.
 */
export async function goldenFaults(
  { folder, manifest: { golden } }: ModelFolder,
  limits: DecodeLimits,
  analyze: (image: RgbImage) => Promise<Analysis>,
): Promise<string | undefined> {
  const image = await decodeImage(await readFile(join(folder, golden.image)), limits);
  const figures = figuresOf((await analyze(image)).outcome);
  const off = Object.entries(golden.expected).filter(
    ([name, expected]) => !(Math.abs((figures[name] ?? NaN) - expected) <= golden.tolerance),
  );
  if (off.length === 0) return undefined;
  return `golden image: ${off.map(([name, expected]) => `${name} is ${figures[name]}, not ${expected}`).join('; ')}`;
}
