import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { decodeForModel, decodeImage, decoder } from './decode';
import { forget, pixelsOf } from './handed-image';

const limits = { longSidePx: 64, minShortSidePx: 16, maxPixels: 60_000_000 };
const gradient = Buffer.from(Array.from({ length: 96 * 48 * 3 }, (_, i) => i % 251));
const jpeg = () =>
  sharp(gradient, { raw: { width: 96, height: 48, channels: 3 } })
    .jpeg()
    .toBuffer();
afterAll(() => decoder.stop());

it('hands over the same pixels as a decode into memory, and forgets them', async () => {
  const bytes = await jpeg();
  const [handed, plain] = [await decodeForModel(bytes, limits), await decodeImage(bytes, limits)];
  if (!('file' in handed)) throw new Error('no file was written');
  expect(Buffer.from(pixelsOf(handed).rgb).equals(Buffer.from(plain.rgb))).toBe(true);
  expect(handed).toMatchObject({ width: 64, height: 32, orientation: 1 });
  await forget(handed);
  expect(readdirSync(dirname(handed.file))).toEqual([]);
});

it('sends the pixels in the answer where the file cannot be written', async () => {
  const bytes = await jpeg();
  const folder = mkdtempSync(join(tmpdir(), 'tire-'));
  rmSync(folder, { recursive: true });
  const image = await decoder.decodeTo(join(folder, '1'), bytes, { ...limits, orientation: 1 });
  expect(Buffer.from(pixelsOf(image).rgb).equals(Buffer.from((await decodeImage(bytes, limits)).rgb))).toBe(true);
  await forget(image);
});

it('leaves no file of an image that cannot be decoded', async () => {
  const bytes = (await jpeg()).subarray(0, 300);
  const handed = await decodeForModel(await jpeg(), limits);
  if (!('file' in handed)) throw new Error('no file was written');
  await forget(handed);
  await expect(decodeForModel(bytes, limits)).rejects.toMatchObject({ errorCode: 'image_undecodable' });
  expect(readdirSync(dirname(handed.file))).toEqual([]);
});

it('removes the folder of a process that has ended, and keeps that of a living one', async () => {
  const handed = await decodeForModel(await jpeg(), limits);
  if (!('file' in handed)) throw new Error('no file was written');
  const place = dirname(dirname(handed.file));
  const ended = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  const [left, kept] = [ended, process.ppid].map((pid) => mkdtempSync(join(place, `tire-pixels-${pid}-`)));
  jest.resetModules();
  const again = jest.requireActual<typeof import('./decode')>('./decode');
  const other = await again.decodeForModel(await jpeg(), limits);
  expect([left!, kept!].map((folder) => existsSync(folder))).toEqual([false, true]);
  rmSync(kept!, { recursive: true });
  expect(await readFile((other as { file: string }).file)).toHaveLength(64 * 32 * 3);
  await forget(other);
  again.decoder.stop();
});
