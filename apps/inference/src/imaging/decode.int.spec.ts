import sharp from 'sharp';
import { UnusableImage } from '@tire/platform/images';
import { decodeImage } from './decode';

const limits = { longSidePx: 512, minShortSidePx: 96, maxPixels: 4_000_000 };
const image = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#804020' } });
const codeOf = (bytes: Uint8Array) =>
  decodeImage(bytes, limits).then(
    () => 'decoded',
    (error: unknown) => (error instanceof UnusableImage ? error.errorCode : String(error)),
  );

it.each<[string, () => Promise<Buffer>, string]>([
  ['an image of 40 pixels', () => image(40, 40).jpeg().toBuffer(), 'image_too_small'],
  ['more pixels than allowed', () => image(2100, 2000).png().toBuffer(), 'image_too_large'],
  ['no image', async () => Buffer.from('hello'), 'image_undecodable'],
  ['nothing', async () => Buffer.alloc(0), 'image_undecodable'],
  ['a truncated JPEG', async () => (await noisy()).subarray(0, 9_000), 'image_undecodable'],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'), 'image_undecodable'],
  ['a TIFF', () => image(300, 300).tiff().toBuffer(), 'image_undecodable'],
  ['a WebP', () => image(300, 300).webp().toBuffer(), 'image_undecodable'],
])('answers %s with its code', async (_, make, code) => {
  expect(await codeOf(await make())).toBe(code);
});

it('shrinks to the long side and never enlarges', async () => {
  expect(await decodeImage(await image(1024, 512).jpeg().toBuffer(), limits)).toMatchObject({ width: 512, height: 256 });
  expect(await decodeImage(await image(200, 100).jpeg().toBuffer(), limits)).toMatchObject({ width: 200, height: 100 });
});

it('leaves the pixels of an image with an EXIF rotation where they are', async () => {
  const bytes = await image(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await decodeImage(bytes, limits)).toMatchObject({ width: 400, height: 200, orientation: 6 });
  expect(await decodeImage(await image(400, 200).jpeg().toBuffer(), limits)).toMatchObject({ orientation: 1 });
});

it.each<[string, () => Promise<Buffer>]>([
  ['grey', () => image(200, 200).greyscale().jpeg().toBuffer()],
  ['CMYK', () => image(200, 200).toColourspace('cmyk').jpeg().toBuffer()],
  ['16-bit', () => image(200, 200).toColourspace('rgb16').png().toBuffer()],
  ['palette', () => image(200, 200).png({ palette: true }).toBuffer()],
  ['transparent', () => image(200, 200).ensureAlpha(0.5).png().toBuffer()],
])('gives three channels of eight bits for %s', async (_, make) => {
  const { rgb } = await decodeImage(await make(), limits);
  expect(rgb).toHaveLength(200 * 200 * 3);
  expect(rgb[0]).toBeGreaterThan(60);
});

async function noisy(): Promise<Buffer> {
  const pixels = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251));
  return sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
    .jpeg()
    .toBuffer();
}
