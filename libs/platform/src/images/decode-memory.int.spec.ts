import { chunk, END, header, pixels, png, spawnTypeScript, tempDir } from '@tire/test-harness';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodeMemoryBytes } from './decode-memory';
import { readImageHeader } from './image-header';

const MIB = 1024 * 1024;
const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 } as const;

/** A whole PNG of zeros. */
function zeros(widthPx: number, heightPx: number, { depth = 8, colour = 2 as keyof typeof CHANNELS, interlace = 0 }): Buffer {
  const bytes = Math.ceil((widthPx * CHANNELS[colour] * depth) / 8) * heightPx;
  // Each row begins with a byte for its filter; an interlaced image has at most twice as many rows.
  return png(header(widthPx, heightPx, { depth, colour, interlace }), pixels(bytes + 2 * heightPx + 1_000), END);
}

const jpeg = (widthPx: number, heightPx: number, progressive: boolean, chromaSubsampling = '4:2:0') =>
  sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: '#456' } })
    .jpeg({ progressive, chromaSubsampling })
    .toBuffer();

async function measuredBytes(bytes: Buffer): Promise<number> {
  const file = join(await tempDir(), 'image');
  await writeFile(file, bytes);
  const decoding = spawnTypeScript(join(__dirname, 'measured-decode.fixture.ts'), [file], { MALLOC_ARENA_MAX: '2' });
  const [[measured]] = await Promise.all([once(decoding, 'message') as Promise<[number]>, once(decoding, 'exit')]);
  return measured;
}

const estimate = (bytes: Buffer): number => decodeMemoryBytes(readImageHeader(bytes)!);

it.each<[string, () => Promise<Buffer>]>([
  ['an interlaced PNG of 16 bits', async () => zeros(6_000, 4_000, { depth: 16, colour: 6, interlace: 1 })],
  ['an interlaced PNG of 8 bits', async () => zeros(6_000, 4_000, { interlace: 1 })],
  ['a PNG of 16 bits', async () => zeros(6_000, 4_000, { depth: 16, colour: 6 })],
  ['a PNG with very long rows', async () => zeros(300_000, 100, { colour: 6 })],
  ['a JPEG of a camera', async () => jpeg(4_000, 3_000, false)],
  ['a progressive JPEG', async () => jpeg(6_000, 4_000, true)],
  ['a progressive JPEG with full colour', async () => jpeg(6_000, 4_000, true, '4:4:4')],
])('%s takes no more memory than the estimate, and not far less', async (_, make) => {
  const bytes = await make();
  const [measured, estimated] = [await measuredBytes(bytes), estimate(bytes)];
  expect(measured).toBeLessThanOrEqual(estimated);
  expect(estimated).toBeLessThan(3.5 * measured + 32 * MIB);
});

describe('the header of an image', () => {
  it.each<[string, () => Buffer | Promise<Buffer>, object]>([
    [
      'a PNG',
      () => zeros(40, 30, { depth: 16, colour: 6, interlace: 1 }),
      { format: 'png', widthPx: 40, heightPx: 30, channels: 4, bytesPerChannel: 2, interlaced: true },
    ],
    [
      'a PNG with a transparent colour',
      () => png(header(4, 4), chunk('tRNS', Buffer.alloc(6)), pixels(100), END),
      { channels: 4, bytesPerChannel: 1, interlaced: false },
    ],
    ['a JPEG', () => jpeg(40, 30, false), { format: 'jpeg', widthPx: 40, channels: 3, samplesPerPixel: 1.5, keepsCoefficients: false }],
    ['a progressive JPEG', () => jpeg(40, 30, true, '4:4:4'), { heightPx: 30, samplesPerPixel: 3, keepsCoefficients: true }],
  ])('is read of %s', async (_, make, expected) => {
    expect(readImageHeader(await make())).toMatchObject(expected);
  });

  it('is undefined for other bytes and for a cut header', async () => {
    const whole = await jpeg(40, 30, false);
    for (const bytes of [Buffer.alloc(0), Buffer.from('GIF89a'), whole.subarray(0, 30), zeros(4, 4, {}).subarray(0, 20)])
      expect(readImageHeader(bytes)).toBeUndefined();
  });
});
