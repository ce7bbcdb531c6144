import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { decodeForModel, decodeImage, decoder } from './decode';
import { forget, type HandedImage, withPixels } from './handed-image';
import { removeLeftovers } from './pixel-folder';

const limits = { longSidePx: 64, minShortSidePx: 16, maxPixels: 60_000_000 };
const gradient = Buffer.from(Array.from({ length: 96 * 48 * 3 }, (_, i) => i % 251));
const jpeg = () =>
  sharp(gradient, { raw: { width: 96, height: 48, channels: 3 } })
    .jpeg()
    .toBuffer();
const pixelsOf = (image: HandedImage) => withPixels([image], async ([read]) => Buffer.from(read!.rgb));
afterAll(() => decoder.stop());

it('hands over the same pixels as a decode into memory, and forgets them', async () => {
  const bytes = await jpeg();
  const [handed, plain] = [await decodeForModel(bytes, limits), await decodeImage(bytes, limits)];
  if (!('file' in handed)) throw new Error('no file was written');
  expect((await pixelsOf(handed)).equals(Buffer.from(plain.rgb))).toBe(true);
  expect(handed).toMatchObject({ width: 64, height: 32, orientation: 1 });
  await forget(handed);
  expect(readdirSync(dirname(handed.file))).toEqual([]);
});

it('sends the pixels in the answer where the file cannot be written', async () => {
  const bytes = await jpeg();
  const folder = mkdtempSync(join(tmpdir(), 'tire-'));
  rmSync(folder, { recursive: true });
  const image = await decoder.decodeTo(join(folder, '1'), bytes, { ...limits, orientation: 1 });
  expect((await pixelsOf(image)).equals(Buffer.from((await decodeImage(bytes, limits)).rgb))).toBe(true);
  await forget(image);
});

it('uses the memory of an image again after its use, and not before', async () => {
  const [handed, larger] = [await decodeForModel(await jpeg(), limits), await decodeForModel(await jpeg(), { ...limits, longSidePx: 96 })];
  const memoryOf = (image: HandedImage) => withPixels([image], async ([read]) => read!.rgb.buffer);
  const first = await memoryOf(larger);
  const [one, other] = await withPixels([handed, handed], async (images) => images.map(({ rgb }) => rgb));
  expect([one!.buffer === first, other!.buffer === first, one!.length, other!.length]).toEqual([true, false, 64 * 32 * 3, 64 * 32 * 3]);
  expect((await pixelsOf(larger)).length).toBe(96 * 48 * 3);
  await Promise.all([handed, larger].map(forget));
});

it('leaves no file of an image that cannot be decoded', async () => {
  const bytes = (await jpeg()).subarray(0, 300);
  const handed = await decodeForModel(await jpeg(), limits);
  if (!('file' in handed)) throw new Error('no file was written');
  await forget(handed);
  await expect(decodeForModel(bytes, limits)).rejects.toMatchObject({ errorCode: 'image_undecodable' });
  expect(readdirSync(dirname(handed.file))).toEqual([]);
});

it('the service removes folders of ended processes in both places, and keeps young ones and those of living processes', async () => {
  const handed = await decodeForModel(await jpeg(), limits);
  if (!('file' in handed)) throw new Error('no file was written');
  const place = dirname(dirname(handed.file));
  const ended = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  const folderOf = (pid: number, at = place) => mkdtempSync(join(at, `tire-pixels-${pid}-`));
  const [left, elsewhere, living, young] = [folderOf(ended), folderOf(ended, tmpdir()), folderOf(process.ppid), folderOf(ended)];
  const old = new Date(Date.now() - 3_600_000);
  for (const folder of [left, elsewhere, living, dirname(handed.file)]) utimesSync(folder, old, old);
  removeLeftovers();
  expect([left, elsewhere, living, young, handed.file].map((path) => existsSync(path))).toEqual([false, false, true, true, true]);
  for (const folder of [living, young]) rmSync(folder, { recursive: true });
  await forget(handed);
});

it('makes a new folder where another container has removed its own', async () => {
  const bytes = await jpeg();
  const before = await decodeForModel(bytes, limits);
  rmSync(dirname((before as { file: string }).file), { recursive: true });
  const handed = await decodeForModel(bytes, limits);
  expect(await readFile((handed as { file: string }).file)).toHaveLength(64 * 32 * 3);
  await forget(handed);
});

it('a file that cannot be removed is no fault of its image', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tire-'));
  await forget({ width: 1, height: 1, orientation: 1, file: folder });
  expect(existsSync(folder)).toBe(true);
  rmSync(folder, { recursive: true });
});
