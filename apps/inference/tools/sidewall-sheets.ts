import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import sharp from 'sharp';
import { emptyField, type Field } from '../src/domain/field';
import type { SidewallScan } from '../src/domain/sidewall/text/line-reader';
import type { TextBox } from '../src/domain/sidewall/text/text-boxes';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { greyscaleImage } from '../src/imaging/luminance';
import { newestModel } from './models';
import { loadSidewallModel, spelledSize } from './labelled-images';

const GAP_PX = 4;

/** For each image of a folder, writes the strips that were searched with their text boxes, and prints what was read. */
async function sheets(images: string, out: string, repository: string): Promise<void> {
  const model = await newestModel(repository, 'tire.sidewall');
  const loaded = await loadSidewallModel(model);
  await mkdir(out, { recursive: true });
  const files = (await readdir(images)).filter((file) => ['.jpg', '.jpeg', '.png'].includes(extname(file).toLowerCase()));
  for (const file of files.sort()) {
    const scan = await loaded.scan(await decodeImage(await readFile(join(images, file)), decodeLimits(model)));
    describe(file, scan);
    const { width, height, rgb } = greyscaleImage(stacked(scan));
    const png = join(out, `${basename(file, extname(file))}.png`);
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(png);
  }
}

function describe(file: string, { ring, passes }: SidewallScan): void {
  process.stdout.write(`${file}: ${ring ? `ring ${ring.score.toFixed(2)}` : 'no ring'}, ${passes.length} views\n`);
  passes.forEach(({ lines }, view) => {
    for (const { box, readings, decodedText, other } of lines) {
      const sizes = readings.slice(0, 2).map(({ size, logLikelihood }) => `${spelledSize(size)} ${logLikelihood.toFixed(2)}`);
      process.stdout.write(
        `  view ${view} at ${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.height)} px high "${decodedText.text}": ` +
          `${other ? `${other.kind} ${other.certainty.toFixed(2)}` : sizes.join('; ')}\n`,
      );
    }
  });
}

function stacked({ passes }: SidewallScan): Field {
  const width = Math.max(1, ...passes.map(({ view }) => view.width));
  const sheet = emptyField(
    width,
    Math.max(
      1,
      passes.reduce((sum, { view }) => sum + view.height + GAP_PX, 0),
    ),
  );
  let top = 0;
  for (const { view, lines } of passes) {
    for (let y = 0; y < view.height; y++) {
      sheet.data.set(view.data.subarray(y * view.width, (y + 1) * view.width), (top + y) * width);
    }
    for (const { box } of lines) outline(sheet, box, top);
    top += view.height + GAP_PX;
  }
  return sheet;
}

function outline(sheet: Field, { x, y, length, height, angleRad }: TextBox, top: number): void {
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const dot = (u: number, v: number) => {
    const [px, py] = [Math.round(x + u * cos - v * sin), Math.round(top + y + u * sin + v * cos)];
    if (px >= 0 && py >= 0 && px < sheet.width && py < sheet.height) sheet.data[py * sheet.width + px] = 255;
  };
  for (let u = -length / 2; u <= length / 2; u++) for (const v of [-height / 2, height / 2]) dot(u, v);
  for (let v = -height / 2; v <= height / 2; v++) for (const u of [-length / 2, length / 2]) dot(u, v);
}

const [images, out, repository = join(__dirname, '../models')] = process.argv.slice(2);
if (!images || !out) throw new Error('usage: sidewall-sheets FOLDER_WITH_IMAGES FOLDER_FOR_SHEETS [REPOSITORY]');
void sheets(images, out, repository);
