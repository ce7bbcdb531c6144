import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { Network } from '../src/models/network';
import { loadToolModel, newestModel } from './models';
import { renderHardWheel } from './sidewall/hard-wheel';

/** Those of calibrate-sidewall. */
const FIRST_SEED = 1;

/** Writes every image that a network gets, as `ROLE-NUMBER.png`. Returns how many there are of each. */
function recordRuns(folder: string): Map<string, number> {
  const [roles, counts] = [new WeakMap<Network, string>(), new Map<string, number>()];
  const { load } = Network;
  Network.load = async (model, role, execution) => {
    const network = await load(model, role, execution);
    roles.set(network, role);
    return network;
  };
  const { run } = Network.prototype;
  Network.prototype.run = async function (images) {
    const role = roles.get(this)!;
    for (const { rgb, width, height } of images) {
      const number = counts.get(role) ?? 0;
      counts.set(role, number + 1);
      await sharp(rgb, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 1 })
        .toFile(join(folder, `${role}-${String(number).padStart(5, '0')}.png`));
    }
    return run.call(this, images);
  };
  return counts;
}

/** The inputs of the networks on renders, for `training/quantize.py`: of treads in a folder, or of so many rendered wheels. */
async function main(): Promise<void> {
  const [operation, out, images, repository = join(__dirname, '../models')] = process.argv.slice(2);
  if (!out || !images || (operation !== 'tire.tread' && operation !== 'tire.sidewall'))
    throw new Error('usage: record-inputs tire.tread OUT RENDERS [MODEL_REPOSITORY] | tire.sidewall OUT WHEELS [MODEL_REPOSITORY]');
  await mkdir(out, { recursive: true });
  const counts = recordRuns(out);
  const model = await newestModel(repository, operation);
  const engine = await loadToolModel(model);
  const measure = async (bytes: Buffer) => engine.analyze([await decodeImage(bytes, decodeLimits(model))]);
  if (operation === 'tire.tread') {
    const files = (await readdir(images)).filter((file) => /^\d+\.png$/.test(file)).sort();
    for (const file of files) await measure(await readFile(join(images, file)));
  } else {
    const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
    for (let seed = FIRST_SEED; seed < FIRST_SEED + Number(images); seed++) await measure((await renderHardWheel(seed, sizes)).bytes);
  }
  process.stdout.write(`${[...counts].map(([role, count]) => `${role}: ${count}`).join(', ')}\n`);
}

void main();
