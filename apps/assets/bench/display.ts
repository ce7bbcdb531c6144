import { cpuMsOf } from '@tire/test-harness';
import { rangeText, runBench } from '@tire/test-harness/bench';
import { join } from 'node:path';
import sharp from 'sharp';
import { derivativesOf, displayDecoder } from '../src/display/derivatives';
import { DISPLAY_SIZES, type DisplaySize, missingOf } from '../src/domain/display';

const ROOT = join(__dirname, '../../../..');
const ROUNDS = 7;
const IMAGES_OF_ROUND = 10;

const SETS: readonly (readonly DisplaySize[])[] = [missingOf('page', null), ...DISPLAY_SIZES.map((size) => [size]), DISPLAY_SIZES];

const photographs = [
  { name: '2 megapixels', widthPx: 1_414, heightPx: 1_414 },
  { name: '12 megapixels', widthPx: 4_000, heightPx: 3_000 },
];

const tenths = (value: number): string => value.toFixed(1);

/** The CPU of the derivatives of one photograph, with its decode and with what it costs to hand both over. */
async function main(): Promise<void> {
  const decoder = displayDecoder();
  const cpuMs = async () => (await cpuMsOf({ all: process.pid }))['all']!;
  const sample = join(ROOT, 'apps/inference/assets/samples/front_left.jpg');
  process.stdout.write(`CPU ms of a photograph, median and range of ${ROUNDS} rounds of ${IMAGES_OF_ROUND} in turn.\n\n`);
  process.stdout.write(`| photograph | derivatives | CPU ms | bytes |\n|---|---|--:|--:|\n`);
  for (const { name, widthPx, heightPx } of photographs) {
    const bytes = await sharp(sample).resize(widthPx, heightPx).jpeg({ quality: 85 }).toBuffer();
    const rows = SETS.map((sizes) => ({ sizes, costs: [] as number[], lengths: [] as number[] }));
    // The first decode starts the process.
    await derivativesOf(decoder, bytes, 1, DISPLAY_SIZES);
    for (let round = 0; round < ROUNDS; round++) {
      for (const row of rows) {
        const before = await cpuMs();
        for (let image = 0; image < IMAGES_OF_ROUND; image++) {
          row.lengths = (await derivativesOf(decoder, bytes, 1, row.sizes)).map((made) => made.bytes.length);
        }
        row.costs.push(((await cpuMs()) - before) / IMAGES_OF_ROUND);
      }
    }
    for (const { sizes, costs, lengths } of rows) {
      process.stdout.write(`| ${name} | ${sizes.join(', ')} | ${rangeText(costs, tenths)} | ${lengths.join(', ')} |\n`);
    }
  }
  decoder.stop();
}

runBench(main);
