import { hostileImages } from '.';
import { noise } from './hostile-image';

/** Changes are made to small images, so that thousands of them take minutes. */
const SMALL_BYTES = 50_000;
const CHANGES_MOST = 8;
const SEED = 7;

/** Hostile images with a few bytes changed, always the same. None has a verdict that is known beforehand. */
export function* changedImages(count: number): Generator<{ readonly name: string; readonly bytes: Buffer }> {
  const originals = hostileImages().filter(({ name }) => !/ MB|megapixels|million/.test(name));
  const random = noise(count * (2 * CHANGES_MOST + 2) * 2, SEED);
  let at = 0;
  const next = (below: number) => ((random[at++]! << 8) | random[at++]!) % below;
  for (let index = 0; index < count; index += 1) {
    const original = originals[next(originals.length)]!;
    // A copy: some originals share their bytes.
    const bytes = Buffer.from(original.make().subarray(0, SMALL_BYTES));
    for (let change = 0; change < CHANGES_MOST; change += 1) bytes[next(bytes.length || 1)] = next(256);
    yield { name: `${original.name}, changed (${index})`, bytes };
  }
}
