import sharp from 'sharp';
import type { Sight } from '../../web/framing/sight';
import type { Frame } from '../../web/hints/frame';
import { hintOf, type Hint, type Looks } from '../../web/hints/hints';
import { PART_PX, PARTS, SMALL_LONG_SIDE_PX } from '../../web/hints/parts';
import { hashOf } from '../../web/hints/same-photo';
import { HASHED } from '../../web/photo/scale';

/** A picture as a camera's video would show it. */
const VIDEO = { width: 1_280, height: 960 };

async function frameOf(image: sharp.Sharp): Promise<Frame> {
  const { data, info } = await image.greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, luma: Float32Array.from(data) };
}

/** The middle of a photograph, as large as a frame of the video; not enlarged, because that is a blur already. */
export async function videoFrame(photo: Buffer | string): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata();
  const across = Math.min(VIDEO.width, width, Math.floor((height * 4) / 3));
  return sharp(photo)
    .rotate()
    .resize({ width: across, height: Math.round((across * 3) / 4), fit: 'cover' })
    .removeAlpha()
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** What the page takes of a frame, made of the same parts without a browser. */
export async function looksOf(frame: Buffer, otherHashes: readonly string[] = [], sight: Sight | null = null): Promise<Looks> {
  const { width, height } = await sharp(frame).metadata();
  const scale = SMALL_LONG_SIDE_PX / Math.max(width, height);
  const partAt = ([x, y]: readonly [number, number]) =>
    frameOf(
      sharp(frame).extract({
        left: Math.round(x * width - PART_PX / 2),
        top: Math.round(y * height - PART_PX / 2),
        width: PART_PX,
        height: PART_PX,
      }),
    );
  const small = await frameOf(sharp(frame).resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' }));
  return {
    small,
    parts: await Promise.all(PARTS.map(partAt)),
    hash: hashOf(small),
    ...{ longSidePx: Math.max(width, height), motion: 0, otherHashes, asked: 'tread', sight },
  };
}

/** The hash of a photograph that was taken, made of another small picture than the hash of a look. */
export const hashOfPhoto = async (frame: Buffer): Promise<string> =>
  hashOf(await frameOf(sharp(frame).resize(HASHED.width, HASHED.height, { fit: 'fill' })));

export const hintFor = async (frame: Buffer, otherHashes: readonly string[] = []): Promise<Hint | null> =>
  hintOf(await looksOf(frame, otherHashes));

const light = (frame: Buffer, gain: number): Promise<Buffer> => sharp(frame).linear(gain, 0).png({ compressionLevel: 0 }).toBuffer();

/** Faults of frames, each in degrees from clear to coarse. */
export const FAULTS = {
  too_dark: [0.22, 0.14, 0.08].map((gain) => (frame: Buffer) => light(frame, gain)),
  too_bright: [
    (frame: Buffer) => sharp(frame).linear(1.2, 150).png({ compressionLevel: 0 }).toBuffer(),
    (frame: Buffer) => sharp(frame).linear(1.4, 190).png({ compressionLevel: 0 }).toBuffer(),
  ],
  // At 1,280 px.
  blurred: [3.5, 5, 8].map((sigma) => async (frame: Buffer) => {
    const { width } = await sharp(frame).metadata();
    return sharp(frame)
      .blur((sigma * width) / VIDEO.width)
      .png({ compressionLevel: 0 })
      .toBuffer();
  }),
} as const satisfies Partial<Record<Hint, readonly ((frame: Buffer) => Promise<Buffer>)[]>>;

/** The same tire once more from almost the same place: a little closer, moved and brighter. */
export async function again(frame: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(frame).metadata();
  return sharp(frame)
    .extract({ left: 8, top: 6, width: width - 16, height: height - 12 })
    .resize({ width, height, fit: 'fill' })
    .modulate({ brightness: 1.08 })
    .jpeg({ quality: 70 })
    .toBuffer();
}

/** What is no tire and has nothing on it: a wall, a floor, a sky, a finger on the lens. */
export function plainFrames(): Promise<Buffer[]> {
  const { width, height } = VIDEO;
  const picture = (from: number, to: number, grain: number) => {
    const pixels = Buffer.alloc(width * height * 3);
    let state = 7;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        const grey = from + ((to - from) * (x + y)) / (width + height) + (state / 2_147_483_648 - 0.5) * grain;
        pixels.fill(Math.max(0, Math.min(255, Math.round(grey))), (y * width + x) * 3, (y * width + x) * 3 + 3);
      }
    return sharp(pixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
  };
  return Promise.all([picture(90, 130, 0), picture(70, 140, 8), picture(30, 120, 14), picture(110, 120, 20)]);
}

/** The variance of the Laplacian, with which the width of edges is compared. */
export function laplacianVarianceOf({ width, height, luma }: Frame): number {
  let [sum, squares, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const value = luma[i - 1]! + luma[i + 1]! + luma[i - width]! + luma[i + width]! - 4 * luma[i]!;
      sum += value;
      squares += value * value;
      count++;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/** What a sensor adds in little light. A fixed sequence, so that figures can be repeated. */
export async function withGrain(frame: Buffer, greyLevels: number): Promise<Buffer> {
  const { data, info } = await sharp(frame).greyscale().raw().toBuffer({ resolveWithObject: true });
  let state = 11;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  // Three even numbers together are almost normal, with a deviation of one half.
  for (let i = 0; i < data.length; i++)
    data[i] = Math.max(0, Math.min(255, Math.round(data[i]! + (random() + random() + random() - 1.5) * 2 * greyLevels)));
  return sharp(data, { raw: info }).png({ compressionLevel: 0 }).toBuffer();
}
