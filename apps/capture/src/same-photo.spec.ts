import { join } from 'node:path';
import sharp from 'sharp';
import type { Frame } from '../web/hints/frame';
import { hashOf, isSamePhoto } from '../web/hints/same-photo';

const SAMPLE = join(__dirname, '../../inference/assets/samples/front_left.jpg');

async function frameOf(image: sharp.Sharp): Promise<Frame> {
  const { data, info } = await image.resize(72, 64, { fit: 'fill' }).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, luma: Float32Array.from(data) };
}

describe('the same photograph again', () => {
  it('is known when it was scaled, compressed and brightened; another tire is another one', async () => {
    const hash = hashOf(await frameOf(sharp(SAMPLE)));
    const copy = await sharp(SAMPLE).resize(400).modulate({ brightness: 1.1 }).jpeg({ quality: 50 }).toBuffer();
    expect(isSamePhoto(hash, hashOf(await frameOf(sharp(copy))))).toBe(true);
    const other = hashOf(await frameOf(sharp(SAMPLE.replace('front_left', 'rear_right'))));
    expect(isSamePhoto(hash, other)).toBe(false);
  });

  it('has one bit for each step from left to right', () => {
    const ramp = (sign: number): Frame => ({
      width: 9,
      height: 8,
      luma: Float32Array.from({ length: 72 }, (_, i) => 100 + sign * (i % 9)),
    });
    expect([hashOf(ramp(1)), hashOf(ramp(-1))]).toEqual(['f'.repeat(16), '0'.repeat(16)]);
  });
});
