import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { FramingSession } from '../../web/framing/session';
import { SQUARE_PX } from '../../web/framing/square';

/**
 * What the network sees in each image file of the arguments, as JSON. Runs in a process of its own: WebAssembly of the page knows no arrays
 * of a test's context.
 */
async function main(files: readonly string[]): Promise<void> {
  const runtime = dirname(require.resolve('onnxruntime-web/wasm'));
  const wasm = await readFile(join(runtime, 'ort-wasm-simd-threaded.wasm'));
  const model = await readFile(join(__dirname, '../../web/framing/framing.onnx'));
  const session = await FramingSession.open(Uint8Array.from(wasm).buffer, model);
  const sights = [];
  for (const file of files) sights.push(await session.see(await middleOf(file)));
  process.stdout.write(JSON.stringify(sights));
}

/** As the page takes it from the video. */
async function middleOf(file: string): Promise<Uint8Array> {
  const { data } = await sharp(file)
    .rotate()
    .resize(SQUARE_PX, SQUARE_PX, { fit: 'cover' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return new Uint8Array(data);
}

void main(process.argv.slice(2));
