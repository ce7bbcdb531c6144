import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { DecodedImage, FromDecoder, ToDecoder } from './decode-protocol';

// The child process of ImageDecoder. It decodes one image at a time.
// All other loaders (SVG, TIFF, GIF, PDF and so on) stay blocked: partners may send JPEG and PNG only, and each loader is an attack
// surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

const PRIORITY_OF_HEAVY = 10;
const WARM_UP_PX = 1_024;

const send = (message: FromDecoder) => process.send?.(message);

/** Where the machine runs out of memory, the kernel ends this process and no other. */
function offerToKernel(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // A system without /proc has no such setting.
  }
}

async function decode({ bytes, wanted }: ToDecoder): Promise<DecodedImage> {
  const { longSidePx, maxPixels, orientation, result } = wanted;
  const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated', sequentialRead: true });
  const small = (orientation === 'turned' ? image.autoOrient() : image)
    .resize(longSidePx, longSidePx, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb');
  const made: Sharp = result === 'rgb' ? small.raw({ depth: 'uchar' }) : small.jpeg({ quality: result.jpegQuality });
  const { data, info } = await made.toBuffer({ resolveWithObject: true });
  const { orientation: original = 1 } = await image.metadata();
  return {
    width: info.width,
    height: info.height,
    data: result === 'rgb' ? threeChannels(data, info.channels) : data,
    orientation: original,
  };
}

function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array((data.length / channels) * 3);
  for (let i = 0; i < rgb.length / 3; i++) {
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * channels + (channels >= 3 ? c : 0)]!;
  }
  return rgb;
}

async function answer(work: ToDecoder): Promise<void> {
  try {
    send({ kind: 'decoded', image: await decode(work) });
  } catch (error) {
    send({ kind: 'unusable', errorCode: 'image_undecodable', reason: error instanceof Error ? error.message : String(error) });
  }
}

async function warmUp(): Promise<number> {
  const create = { width: WARM_UP_PX, height: WARM_UP_PX, channels: 3 as const, background: '#456' };
  const bytes = await sharp({ create }).jpeg().toBuffer();
  const before = process.cpuUsage();
  await sharp(bytes).raw().toBuffer();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function main(lane: string | undefined): Promise<void> {
  offerToKernel();
  if (lane === 'heavy') setPriority(PRIORITY_OF_HEAVY);
  const warmUpCpuMs = await warmUp();
  process.on('message', (work: ToDecoder) => void answer(work));
  // The parent has ended, or needs this process no more.
  process.on('disconnect', () => process.exit(0));
  // The parent drains: it decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  send({ kind: 'ready', warmUpCpuMs });
}

void main(process.argv[2]);
