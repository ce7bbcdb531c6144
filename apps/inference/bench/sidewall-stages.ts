import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { Network } from '../src/models/network';
import { loadRepository, type ModelFolder } from '../src/models/repository';
import { SidewallModel } from '../src/models/sidewall-model';

const TWELVE_MEGAPIXELS = { width: 4000, height: 3000 };
const TIMES = 5;
const LINE_PX = 48;

/** CPU seconds of one image. `rest`: finding the wheel, unwrapping it, cropping texts, decoding sizes. */
export type Stages = Record<'decode' | 'detector' | 'recognizer' | 'rest', number>;
export interface StagesOfScans {
  readonly atFirstSight: Stages;
  readonly neverSure: Stages;
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const spentIn = { detector: 0, recognizer: 0 };
const run = Network.prototype.run;
Network.prototype.run = async function (images) {
  const from = cpuSeconds();
  const planes = await run.call(this, images);
  spentIn[images[0]!.height === LINE_PX ? 'recognizer' : 'detector'] += cpuSeconds() - from;
  return planes;
};

async function stagesOf(model: ModelFolder, bytes: Buffer): Promise<Stages> {
  const engine = await SidewallModel.load(model, { requested: ['cpu'], fallback: false });
  await engine.scan(await decodeImage(bytes, decodeLimits(model)));
  Object.assign(spentIn, { detector: 0, recognizer: 0 });
  let [decode, scan] = [0, 0];
  for (let i = 0; i < TIMES; i++) {
    const begun = cpuSeconds();
    const image = await decodeImage(bytes, decodeLimits(model));
    const decoded = cpuSeconds();
    await engine.scan(image);
    decode += decoded - begun;
    scan += cpuSeconds() - decoded;
  }
  const { detector, recognizer } = spentIn;
  const rest = scan - detector - recognizer;
  return { decode: decode / TIMES, detector: detector / TIMES, recognizer: recognizer / TIMES, rest: rest / TIMES };
}

/** A wheel of twelve megapixels that is read in the first pass, and the same wheel scanned to the end because no result is sure enough. */
async function main(repository: string): Promise<void> {
  const model = (await loadRepository(repository, ['tire.sidewall']))[0]!;
  const wheel = await sharp(await readFile(join(model.folder, model.manifest.golden.image)))
    .resize({ ...TWELVE_MEGAPIXELS, fit: 'contain', background: '#555' })
    .jpeg({ quality: 92 })
    .toBuffer();
  const { manifest } = model;
  const unsure = { ...model, manifest: { ...manifest, thresholds: { ...manifest.thresholds, min_confidence: 2 } } };
  const stages: StagesOfScans = { atFirstSight: await stagesOf(model, wheel), neverSure: await stagesOf(unsure, wheel) };
  process.send?.(stages);
}

void main(process.argv[2]!);
