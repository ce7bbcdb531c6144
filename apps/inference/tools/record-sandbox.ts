import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import sharp from 'sharp';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { imageHash } from '../src/imaging/image-hash';
import { OPERATIONS, type Operation } from '../src/models/manifest';
import type { Outcome } from '../src/models/outcome';
import { renderSidewall, type SidewallScene } from '../src/samples/sidewall-sample';
import { loadToolModel, newestModel } from './models';

const SIDEWALLS: Readonly<Record<string, SidewallScene>> = {
  'sidewall-front-left': { seed: 2501, size: '225/45R17', placeDeg: 0, spokes: 5 },
  'sidewall-front-right': { seed: 2502, size: '225/45R17', placeDeg: 35, spokes: 7 },
  'sidewall-rear-left': { seed: 2503, size: '225/45R17', placeDeg: -50, spokes: 9 },
  'sidewall-rear-right': { seed: 2504, size: '225/45R17', placeDeg: 110, spokes: 6 },
  // The letters are too flat to be read.
  'sidewall-unread': { seed: 2506, size: '225/45R17', placeDeg: 160, spokes: 10, relief: 0.02 },
};
const [SIDE_PX, QUALITY] = [800, 85];

async function renderSidewalls(folder: string): Promise<void> {
  for (const [name, scene] of Object.entries(SIDEWALLS)) {
    const wheel = sharp(await renderSidewall(scene))
      .resize(SIDE_PX)
      .jpeg({ quality: QUALITY });
    await writeFile(join(folder, `${name}.jpg`), await wheel.toBuffer());
  }
}

/** A tenth of a pixel. */
const DIGITS = 4;
/** Outlines have a point for each few pixels. A fourth of them draws the same line, and the file is a fourth. */
const EVERY_POINT = 4;

function shortened(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toFixed(DIGITS));
  if (key !== 'polygonXyNorm' || !Array.isArray(value) || value.length < 8 * EVERY_POINT) return value;
  return value.filter((_, index) => index % EVERY_POINT === 0);
}

const outcomeOf = (outcome: Outcome) =>
  outcome.kind === 'error' ? { $case: 'errorCode', value: outcome.errorCode } : { $case: outcome.kind, value: outcome.measurement };

async function measurer(operation: Operation) {
  const found = await newestModel(join(__dirname, '../models'), operation);
  const model = await loadToolModel(found);
  return async (bytes: Buffer) => {
    const image = await decodeImage(bytes, decodeLimits(found));
    const [measured] = await model.analyze([image]);
    const { outcome } = measured!;
    return {
      model: `${found.manifest.name}@${found.manifest.version}`,
      outcome: outcomeOf(outcome),
      retakeReasons: outcome.reasons ?? [],
      imageHash: imageHash(image),
    };
  };
}

/**
 * Renders the sidewalls of the sandbox into the folder with its treads (`training/render_sandbox.py`), and records what the models measure in
 * each photograph that does not fail on purpose. The ledger answers with that: `record-sandbox libs/contracts/assets/sandbox`.
 */
async function main(): Promise<void> {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: record-sandbox FOLDER');
  await renderSidewalls(folder);
  const [tread, sidewall] = await Promise.all(OPERATIONS.map(measurer));
  const recorded: string[] = [];
  for (const file of (await readdir(folder)).filter((each) => each.endsWith('.jpg')).sort()) {
    const bytes = await readFile(join(folder, file));
    const { name } = parse(file);
    process.stdout.write(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
    if (name.startsWith('error-')) continue;
    const measured = await (name.startsWith('sidewall-') ? sidewall! : tread!)(bytes);
    recorded.push(`  ${JSON.stringify(name)}: ${JSON.stringify(measured, shortened)}`);
  }
  await writeFile(join(folder, 'measurements.json'), `{\n${recorded.join(',\n')}\n}\n`);
}

void main();
