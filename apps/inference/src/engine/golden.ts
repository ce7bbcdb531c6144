import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePicture, type DecodeLimits, type Picture } from '../imaging/decode';
import { figuresOf, type Analysis } from '../models/outcome';
import type { ModelFolder } from '../models/repository';

/** Where the golden image gives other numbers than the manifest's. Warms the sessions, too: later runs reuse what the first allocates. */
export async function goldenFaults(
  { folder, manifest: { golden } }: ModelFolder,
  limits: DecodeLimits,
  analyze: (picture: Picture) => Promise<Analysis>,
): Promise<string | undefined> {
  const picture = await decodePicture(await readFile(join(folder, golden.image)), limits);
  const figures = figuresOf((await analyze(picture)).outcome);
  const off = Object.entries(golden.expected).filter(
    ([name, expected]) => !(Math.abs((figures[name] ?? NaN) - expected) <= golden.tolerance),
  );
  if (off.length === 0) return undefined;
  return `golden image: ${off.map(([name, expected]) => `${name} is ${figures[name]}, not ${expected}`).join('; ')}`;
}
