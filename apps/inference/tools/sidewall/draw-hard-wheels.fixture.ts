import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSizeTable } from '../../src/domain/sidewall/size/size-decoder';
import { spelledSize } from '../labelled-images';
import { legibilityOf, renderHardWheel } from './hard-wheel';
import { isWheelKind, KINDS } from './wheel-kinds';

/** The values that the spec of hard wheels checks. */
export interface DrawnWheels {
  readonly sha256: { readonly first: string; readonly again: string; readonly otherSeed: string; readonly otherPhotograph: string };
  /** Two photographs of a wheel show the same text. */
  readonly photographsAgree: boolean;
  /** The size that a wheel of each kind has, and the sha256 of its image. */
  readonly kinds: Record<string, { readonly size: string | null; readonly sha256: string }>;
  /** A wheel with digits and one size, and that size. */
  readonly onlySize: { readonly text: string; readonly other: string; readonly size: string | null };
  readonly legibility: { readonly readable: number; readonly unreadable: number; readonly otherText: number };
}

/** People looked at both: the first one is easy to read, the second one is not legible. */
const [READABLE_SEED, UNREADABLE_SEED] = [7_000_120, 7_000_021];
/** Its text is no size. */
const DIGITS_SEED = 7_000_001;

async function main(): Promise<void> {
  const sizes = parseSizeTable(await readFile(join(__dirname, '../../models/sidewall/tire_sizes.csv'), 'utf8'));
  const wheel = (seed: number) => renderHardWheel(seed, sizes);
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const sha256 = async (seed: number) => hashOf((await wheel(seed)).bytes);
  const kinds: Record<string, { size: string | null; sha256: string }> = {};
  for (const kind of Object.keys(KINDS).filter(isWheelKind)) {
    const { bytes, size } = await renderHardWheel(READABLE_SEED, sizes, kind);
    kinds[kind] = { size: size ? spelledSize(size) : null, sha256: hashOf(bytes) };
  }
  const readable = await wheel(READABLE_SEED);
  const photographed = await renderHardWheel(3, sizes, 'usual', 1);
  const { lettering } = readable;
  const digits = await renderHardWheel(DIGITS_SEED, sizes, 'contradicting');
  const drawn: DrawnWheels = {
    sha256: { first: await sha256(3), again: await sha256(3), otherSeed: await sha256(4), otherPhotograph: hashOf(photographed.bytes) },
    photographsAgree: photographed.lettering.size === (await wheel(3)).lettering.size,
    kinds,
    onlySize: { text: digits.lettering.size, other: digits.others[0]!.size, size: digits.size ? spelledSize(digits.size) : null },
    legibility: {
      readable: await legibilityOf(readable),
      unreadable: await legibilityOf(await wheel(UNREADABLE_SEED)),
      otherText: await legibilityOf({ ...readable, lettering: { ...lettering, size: [...lettering.size].reverse().join('') } }),
    },
  };
  process.stdout.write(JSON.stringify(drawn));
}

void main();
