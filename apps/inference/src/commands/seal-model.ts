import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeLimits } from '../engine/model-worker';
import { decodePicture } from '../imaging/decode';
import { loadModel } from '../models/load-model';
import { Manifest } from '../models/manifest';
import { figuresOf } from '../models/outcome';
import { renderSamples } from '../samples/render-samples';

/** Gives a model folder its golden image, the numbers measured on it, and the sha256 of every file that the manifest names. */
async function seal(folder: string): Promise<void> {
  const path = join(folder, 'manifest.json');
  const draft = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  const imageType = draft.operation === 'tire.tread' ? 'tread' : 'sidewall';
  const samples = await renderSamples(await mkdtemp(join(tmpdir(), 'samples-')));
  const golden = samples.find(({ slot }) => slot.image_type === imageType && slot.position === 'front_right')!;
  await copyFile(golden.file, join(folder, draft.golden.image));
  for (const file of Object.keys(draft.files)) {
    draft.files[file] = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex');
  }
  const manifest = Manifest.parse(draft);
  const loaded = await loadModel({ folder, manifest, fingerprint: '' }, { asked: ['cpu'], fallback: false });
  const picture = await decodePicture(await readFile(golden.file), decodeLimits({ manifest }));
  const { outcome } = (await loaded.analyze([picture]))[0]!;
  draft.golden.expected = figuresOf(outcome);
  if (Object.keys(draft.golden.expected).length === 0) throw new Error(`nothing measured on its golden image: ${JSON.stringify(outcome)}`);
  await writeFile(path, `${JSON.stringify(draft, null, 2)}\n`);
  process.stdout.write(`${draft.name} ${draft.version}: ${JSON.stringify(draft.golden.expected)}\n`);
}

void seal(process.argv[2] ?? '');
