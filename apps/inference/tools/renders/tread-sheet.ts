import { readFile } from 'node:fs/promises';
import sharp, { type OutputInfo } from 'sharp';
import { filled } from './filled';
import type { Outcome } from '../../src/models/outcome';

export interface Tile {
  readonly file: string;
  readonly outcome: Outcome;
}

const SIDE_PX = 240;
const ACROSS = 4;
/** Bald is red, this depth is green. */
const NEW_MM = 8;
const REFUSED_BRIGHTNESS = 0.35;
const MAX_TILES = 400;

/**
 * Each image, and beside it the same with filled grooves: red is worn, green is deep. Refused images are darkened; images that could not be
 * decoded are left out.
 */
export async function writeTreadSheet(all: readonly Tile[], path: string): Promise<void> {
  const tiles = all.filter(({ outcome }) => outcome.kind !== 'error' || outcome.errorCode === 'tread_not_found').slice(0, MAX_TILES);
  if (tiles.length === 0) return;
  const drawn = [];
  for (const tile of tiles) drawn.push(await tileOf(tile));
  const [width, height] = [2 * SIDE_PX * Math.min(ACROSS, tiles.length), SIDE_PX * Math.ceil(tiles.length / ACROSS)];
  await sharp({ create: { width, height, channels: 3, background: '#000000' } })
    .composite(
      drawn.flatMap(({ plain, found, raw }, i) => {
        const [left, top] = [(i % ACROSS) * 2 * SIDE_PX, Math.floor(i / ACROSS) * SIDE_PX];
        return [
          { input: plain, raw, left, top },
          { input: found, raw, left: left + SIDE_PX, top },
        ];
      }),
    )
    .jpeg({ quality: 80 })
    .toFile(path);
}

async function tileOf({ file, outcome }: Tile) {
  const { data: plain, info } = await sharp(await readFile(file))
    .resize(SIDE_PX, SIDE_PX, { fit: 'inside' })
    .flatten()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return { plain, found: outcome.kind === 'tread' ? withGrooves(plain, outcome.measurement, info) : Buffer.from(plain.map(darkened)), raw };
}

const darkened = (value: number) => REFUSED_BRIGHTNESS * value;

function withGrooves(
  plain: Buffer,
  { grooveMasks, individualRemainingDepthMm: depths }: (Outcome & { kind: 'tread' })['measurement'],
  { width, height, channels }: OutputInfo,
): Buffer {
  const numbers = filled(
    grooveMasks.map(({ polygonXyNorm }) => polygonXyNorm),
    width,
    height,
  );
  const found = Buffer.from(plain);
  numbers.forEach((number, at) => {
    if (number === 0) return;
    const share = Math.min(1, Math.max(0, depths[number - 1]! / NEW_MM));
    const colour = [255 * (1 - share), 255 * share, 40];
    colour.forEach((value, c) => (found[at * channels + c] = 0.4 * plain[at * channels + c]! + 0.6 * value));
  });
  return found;
}
