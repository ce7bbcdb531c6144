import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bestBatch } from './best-batch';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { loadToolModel, ToolManifest } from './models';
import { PROVIDERS, type Provider } from '../src/models/providers';

const SIZES = [1, 2, 4, 8, 16];
const MEASURED_MS = 4_000;

/** A graph whose first dimension is fixed to 1 cannot run batches. */
const takesMany = (manifest: ToolManifest) =>
  Object.values(manifest.networks).every(({ inputs }) => inputs.every(({ shape }) => shape[0] === -1));

/** Prints the images a second for each batch size, and writes the best batch size into the manifest. */
async function measure(folder: string, provider: Provider): Promise<void> {
  const path = join(folder, 'manifest.json');
  const draft = JSON.parse(await readFile(path, 'utf8')) as ToolManifest;
  const manifest = ToolManifest.parse(draft);
  const model = await loadToolModel({ folder, manifest, fingerprint: '' }, { requested: [provider], fallback: false });
  const image = await decodeImage(await readFile(join(folder, manifest.golden.image)), decodeLimits({ manifest }));
  const curve: ToolManifest['batch']['curve'] = [];
  for (const size of takesMany(manifest) ? SIZES : [1]) {
    const images = Array.from({ length: size }, () => image);
    await model.analyze(images);
    const startedMs = performance.now();
    let done = 0;
    for (; performance.now() - startedMs < MEASURED_MS; done += size) await model.analyze(images);
    const imagesPerS = Number(((done * 1000) / (performance.now() - startedMs)).toFixed(2));
    curve.push({ provider, size, pictures_per_s: imagesPerS });
    process.stdout.write(`${provider} batch ${String(size).padStart(2)}: ${imagesPerS} images/s\n`);
  }
  draft.batch = { size: bestBatch(curve), curve };
  await writeFile(path, `${JSON.stringify(draft, null, 2)}\n`);
  process.stdout.write(`${manifest.name} ${manifest.version}: batch size ${draft.batch.size}\n`);
}

const [, , folder = '', provider = 'cpu'] = process.argv;
if (!PROVIDERS.includes(provider as Provider)) throw new Error(`usage: measure-batches FOLDER [${PROVIDERS.join('|')}]`);
void measure(folder, provider as Provider);
