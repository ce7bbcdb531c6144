import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSizeTable } from '../../src/domain/sidewall/size/size-decoder';
import { legibilityOf, renderHardWheel } from './hard-wheel';

/** The values that the spec of hard wheels checks. */
export interface DrawnWheels {
  readonly sha256: { readonly first: string; readonly again: string; readonly otherSeed: string };
  readonly legibility: { readonly readable: number; readonly unreadable: number; readonly otherText: number };
}

/** People looked at both: the first one is easy to read, the second one is not legible. */
const [READABLE_SEED, UNREADABLE_SEED] = [7_000_120, 7_000_021];

async function main(): Promise<void> {
  const sizes = parseSizeTable(await readFile(join(__dirname, '../../models/sidewall/tire_sizes.csv'), 'utf8'));
  const wheel = (seed: number) => renderHardWheel(seed, sizes);
  const sha256 = async (seed: number) =>
    createHash('sha256')
      .update((await wheel(seed)).bytes)
      .digest('hex');
  const readable = await wheel(READABLE_SEED);
  const drawn: DrawnWheels = {
    sha256: { first: await sha256(3), again: await sha256(3), otherSeed: await sha256(4) },
    legibility: {
      readable: await legibilityOf(readable),
      unreadable: await legibilityOf(await wheel(UNREADABLE_SEED)),
      otherText: await legibilityOf({ ...readable, text: [...readable.text].reverse().join('') }),
    },
  };
  process.stdout.write(JSON.stringify(drawn));
}

void main();
