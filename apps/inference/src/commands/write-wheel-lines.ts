import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { cropOf, sheetOf, stripOf } from '../domain/sidewall/sheet';
import { parseSizeTable } from '../domain/sidewall/size-decoder';
import { decodeLimits } from '../engine/model-worker';
import { decodePicture } from '../imaging/decode';
import { luminanceOf, pictureOf } from '../imaging/picture';
import { loadRepository } from '../models/repository';
import { lettering } from '../samples/glyphs';
import { renderHardWheel } from '../samples/hard-sidewall';
import { seeded } from '../samples/noise';
import { WHEEL } from '../samples/sidewall-sample';

/** Far from the seeds of calibrate-sidewall and of evaluate-wheels. */
const FIRST_SEED = 5_000_000;
const STRIP_PX = 224;

/** Lines of rendered wheels as the recognizer gets them, for train_reader.py: PNGs and lines.tsv. Where they stand is known, and found a little beside that. */
async function main(): Promise<void> {
  const [folder, count, first = FIRST_SEED] = process.argv.slice(2);
  if (!folder || !Number(count)) throw new Error('usage: write-wheel-lines FOLDER WHEELS [FIRST_SEED]');
  await mkdir(folder, { recursive: true });
  const model = (await loadRepository(join(__dirname, '../../models'), ['tire.sidewall']))[0]!;
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const random = seeded(-seed);
    const about = (middle: number, spread: number) => middle + spread * (2 * random() - 1);
    const { bytes, text, placeDeg } = await renderHardWheel(seed, sizes);
    const luminance = luminanceOf(await decodePicture(bytes, decodeLimits(model)));
    const edge = (radius: number) => {
      const [xx, yy] = [luminance.width, luminance.height].map((side) => (about(radius, 4) / WHEEL.side) * side) as [number, number];
      return { x: luminance.width / 2 - 0.5, y: luminance.height / 2 - 0.5, xx, xy: 0, yy };
    };
    const ring = { inner: edge(WHEEL.inner), outer: edge(WHEEL.outer), score: 1 };
    const strip = stripOf(luminance, ring);
    const sheet = sheetOf(strip, STRIP_PX / strip.fine.height, Math.round(STRIP_PX / 5));
    const unit = STRIP_PX / (WHEEL.outer - WHEEL.inner) / 1.1;
    const around = 2 * Math.PI * WHEEL.letterRadius * unit;
    const turn = ((((placeDeg - 90) / 360) % 1) + 1) % 1;
    for (const isEvened of [true, false]) {
      const height = WHEEL.letterHeight * unit * about(1.45, 0.35);
      const box = {
        x: turn * around + about(0.3, 0.2) * height,
        y: STRIP_PX / 2 + about(0, 0.1) * height,
        length: lettering(text).length * WHEEL.letterHeight * unit + about(0.9, 0.5) * height,
        height,
        angleRad: about(0, 0.03),
      };
      // The strip begins somewhere: what stands across that is whole at its end, if it is short.
      const isCut = box.x < box.length / 2;
      if (isCut && box.x + around + box.length / 2 > sheet.coarse.width) continue;
      if (isCut) box.x += around;
      const { width, height: rows, rgb } = pictureOf(cropOf(sheet, box, { isEvened, isTurned: false, grown: 1 }));
      const name = `${seed}-${isEvened ? 'evened' : 'plain'}.png`;
      await sharp(rgb, { raw: { width, height: rows, channels: 3 } })
        .toColourspace('b-w')
        .png()
        .toFile(join(folder, name));
      await writeFile(join(folder, 'lines.tsv'), `${name}\t${text}\n`, { flag: 'a' });
    }
  }
}

void main();
