import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Field } from '../src/domain/field';
import { aroundOf } from '../src/domain/sidewall/ring/ring-shape';
import { cropOf, textViewOf, stripOf } from '../src/domain/sidewall/text/text-view';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { luminanceOf, greyscaleImage } from '../src/imaging/luminance';
import { newestModel } from './models';
import { lettering } from '../src/samples/glyphs';
import { legibilityOf, LEGIBLE, renderHardWheel, type HardWheel } from './sidewall/hard-wheel';
import { seeded } from '../src/samples/noise';
import { WHEEL } from '../src/samples/sidewall-sample';

/** Far from the seeds of calibrate-sidewall and evaluate-wheels. */
const FIRST_SEED = 5_000_000;
const STRIP_PX = 224;
/** Below the first threshold nothing is readable; between the two it is unclear how much is. */
const HOPELESS = 0.85 * LEGIBLE;
const HALF_LEGIBLE = 0.93 * LEGIBLE;

/**
 * Writes lines of rendered wheels as the recognizer gets them, for train_reader.py: PNGs and lines.tsv. Their boxes are the true ones with
 * a random offset.
 */
async function main(): Promise<void> {
  const [folder, count, first = FIRST_SEED] = process.argv.slice(2);
  if (!folder || !Number(count)) throw new Error('usage: write-wheel-lines FOLDER WHEELS [FIRST_SEED]');
  await mkdir(folder, { recursive: true });
  const model = await newestModel(join(__dirname, '../models'), 'tire.sidewall');
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const wheel = await renderHardWheel(seed, sizes);
    const legibility = await legibilityOf(wheel);
    if (legibility > HOPELESS && legibility < HALF_LEGIBLE) continue;
    const text = legibility >= HALF_LEGIBLE ? wheel.lettering.size : '';
    const luminance = luminanceOf(await decodeImage(wheel.bytes, decodeLimits(model)));
    for (const [name, crop] of linesOf(wheel, luminance, seeded(-seed))) {
      const { width, height, rgb } = greyscaleImage(crop);
      const file = `${seed}-${name}.png`;
      await sharp(rgb, { raw: { width, height, channels: 3 } })
        .toColourspace('b-w')
        .png()
        .toFile(join(folder, file));
      await writeFile(join(folder, 'lines.tsv'), `${file}\t${text}\n`, { flag: 'a' });
    }
  }
}

function* linesOf(
  { lettering: { size: text, placeDeg } }: HardWheel,
  luminance: Field,
  random: () => number,
): Generator<[name: string, crop: Field]> {
  const between = (from: number, to: number) => from + (to - from) * random();
  const edge = (radius: number) => {
    const [xx, yy] = [luminance.width, luminance.height].map((side) => ((radius + between(-4, 4)) / WHEEL.side) * side) as [number, number];
    return { x: (luminance.width - 1) / 2, y: (luminance.height - 1) / 2, xx, xy: 0, yy };
  };
  const ring = { inner: edge(WHEEL.inner), outer: edge(WHEEL.outer), score: 1 };
  const strip = stripOf(luminance, ring);
  const textView = textViewOf(strip, STRIP_PX / strip.fine.height, Math.round(STRIP_PX / 5));
  const around = aroundOf(ring, STRIP_PX);
  const letterPx = (around / (2 * Math.PI * WHEEL.letterRadius)) * WHEEL.letterHeight;
  const turn = ((placeDeg + 270) / 360) % 1;
  for (const isNormalized of [true, false]) {
    // The lines are as tight as detected boxes, sometimes too tight.
    const height = letterPx * between(1.1, 1.8);
    const [left, right] = [between(0, 0.6) * height, between(0, 0.6) * height];
    const length = lettering(text).length * letterPx + left + right;
    // A short text across the start of the strip is complete at its end, which overlaps the start.
    const middle = turn * around + (right - left) / 2;
    const x = middle < length / 2 ? middle + around : middle;
    if (x + length / 2 > textView.coarse.width) continue;
    const y = STRIP_PX / 2 + between(-0.1, 0.1) * height;
    const box = { x, y, length, height, angleRad: between(-0.02, 0.02) };
    yield [isNormalized ? 'evened' : 'plain', cropOf(textView, box, { isNormalized, isTurned: false, grown: 1 })];
  }
}

void main();
