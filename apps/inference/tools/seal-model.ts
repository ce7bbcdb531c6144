import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { loadToolModel, ToolManifest } from './models';
import { figuresOf } from '../src/models/outcome';
import { renderSamples } from '../src/samples/render-samples';

/** Writes the golden image of a model folder, its measured figures, and the sha256 of every file of the manifest. */
async function seal(folder: string): Promise<void> {
  const path = join(folder, 'manifest.json');
  const draft = JSON.parse(await readFile(path, 'utf8')) as ToolManifest;
  const imageType = draft.operation === 'tire.tread' ? 'tread' : 'sidewall';
  const samples = await renderSamples(await mkdtemp(join(tmpdir(), 'samples-')));
  const golden = samples.find(({ slot }) => slot.image_type === imageType && slot.position === 'front_right')!;
  await copyFile(golden.file, join(folder, draft.golden.image));
  for (const file of Object.keys(draft.files)) {
    draft.files[file] = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex');
  }
  const manifest = ToolManifest.parse(draft);
  const loaded = await loadToolModel({ folder, manifest, fingerprint: '' });
  const image = await decodeImage(await readFile(golden.file), decodeLimits({ manifest }));
  const { outcome } = (await loaded.analyze([image]))[0]!;
  draft.golden.expected = figuresOf(outcome);
  if (Object.keys(draft.golden.expected).length === 0) throw new Error(`nothing measured on its golden image: ${JSON.stringify(outcome)}`);
  await writeFile(path, `${JSON.stringify(draft, null, 2)}\n`);
  process.stdout.write(`${draft.name} ${draft.version}: ${JSON.stringify(draft.golden.expected)}\n`);
}

void seal(process.argv[2] ?? '');
