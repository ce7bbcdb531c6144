import { rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { showingTurn } from '@tire/kernel';
import sharp from 'sharp';
import type { Decoded, DecodedImage, EncodedPng, FromDecoder, ToDecoder, WantedCopy, WantedPng } from './decode-protocol';

// The child process of ImageDecoder. It decodes one image at a time.
// All other loaders (SVG, TIFF, GIF, PDF and so on) stay blocked: partners may send JPEG and PNG only, and each loader is an attack
// surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

const WARM_UP_PX = 1_024;

/** The service may have been killed meanwhile. Then this process ends too. */
const send = (message: FromDecoder) => process.send?.(message, undefined, undefined, () => undefined);

/** Makes the kernel kill this process first when memory runs out. */
function offerToKernel(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // A system without /proc has no such setting.
  }
}

async function pixelsOf({ bytes, wanted }: ToDecoder): Promise<DecodedImage> {
  const { longSidePx, maxPixels, orientation } = wanted;
  const { flipped, turnedDegrees } = showingTurn(orientation);
  const original = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated', sequentialRead: true });
  const { orientation: recorded = 1 } = await original.metadata();
  const { data, info } = await original
    .flop(flipped)
    .rotate(turnedDegrees)
    .resize(longSidePx, longSidePx, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: threeChannels(data, info.channels), orientation: recorded };
}

/** The least CPU. Effort 2 takes half more, for files with a quarter less. */
const WEBP_EFFORT = 0;
/** Tables for each image save 2 to 4 % of the bytes of a JPEG, and take half of the CPU of its encoding. */
const JPEG_TABLES_OF_ITS_OWN = false;
/** The bytes of a copy follow its pixels roughly. The next try aims below the limit, and always has fewer pixels. */
const AIM = 0.85;

/**
 * What the bytes of a smaller JPEG say about a WebP, by 38 photographs of tires, which are not in the repository: the WebP of the same size has
 * 0.7 of its bytes, and grows with this power of the long side. All 20 photographs with more than 1.6 times the limit by this estimate were
 * above it at 960 pixels. With a first try that aims at 0.9 of the limit three of them needed a second one.
 */
const WEBP_OF_JPEG = { share: 0.7, power: 1.7, surelyTooLarge: 1.6, aim: 0.9 };

interface MadeCopy extends Pick<WantedCopy, 'format'> {
  readonly longSidePx: number;
  readonly bytes: Uint8Array;
}

/** Spares a try that surely has too many bytes: it takes a third of the CPU of a photograph. */
function firstLongSidePx(longSidePx: number, bytesMax: number, jpeg: MadeCopy | undefined): number {
  if (!jpeg) return longSidePx;
  const { share, power, surelyTooLarge, aim } = WEBP_OF_JPEG;
  const excess = (share * jpeg.bytes.length * (longSidePx / jpeg.longSidePx) ** power) / bytesMax;
  return excess > surelyTooLarge ? Math.max(1, Math.floor(longSidePx * (aim / excess) ** (1 / power))) : longSidePx;
}

/** The results carry no metadata: sharp writes none by default. */
async function copyOf({ width, height, rgb }: DecodedImage, wanted: WantedCopy, jpeg: MadeCopy | undefined): Promise<MadeCopy> {
  const { format, quality, bytesMax = Infinity } = wanted;
  const most = Math.min(wanted.longSidePx, Math.max(width, height));
  for (let longSidePx = firstLongSidePx(most, bytesMax, jpeg); ;) {
    const shrunk = sharp(rgb, { raw: { width, height, channels: 3 } }).resize(longSidePx, longSidePx, {
      fit: 'inside',
      withoutEnlargement: true,
    });
    const bytes = await (
      format === 'jpeg' ? shrunk.jpeg({ quality, optimiseCoding: JPEG_TABLES_OF_ITS_OWN }) : shrunk.webp({ quality, effort: WEBP_EFFORT })
    ).toBuffer();
    if (bytes.length <= bytesMax || longSidePx === 1) return { format, longSidePx, bytes };
    longSidePx = Math.max(1, Math.floor(longSidePx * Math.min(AIM, Math.sqrt((AIM * bytesMax) / bytes.length))));
  }
}

/** At most 256 colours: enough for a drawing, and a photograph stays small. */
async function pngOf({ bytes, wanted }: ToDecoder, { widthPx, heightPx }: WantedPng): Promise<EncodedPng> {
  const { data, info } = await sharp(bytes, { limitInputPixels: wanted.maxPixels, failOn: 'truncated' })
    .autoOrient()
    .resize(widthPx, heightPx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, widthPx: info.width, heightPx: info.height };
}

/** A place that is full is no fault of the image: then the pixels go into the answer. */
function handedOver(image: DecodedImage, file: string): Decoded {
  try {
    writeFileSync(file, image.rgb, { flag: 'wx', mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
    return { kind: 'pixels', image };
  }
  const { rgb: _, ...facts } = image;
  return { kind: 'written', image: facts };
}

async function decode(work: ToDecoder): Promise<Decoded> {
  if (work.png) return { kind: 'png', png: await pngOf(work, work.png) };
  const image = await pixelsOf(work);
  if (!work.copies) return work.file === undefined ? { kind: 'pixels', image } : handedOver(image, work.file);
  const copies: MadeCopy[] = [];
  for (const wanted of work.copies) {
    const jpeg = copies.findLast(({ format }) => format === 'jpeg');
    copies.push(await copyOf(image, wanted, jpeg));
  }
  return { kind: 'copies', copies: copies.map(({ bytes }) => bytes) };
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
    send({ kind: 'decoded', decoded: await decode(work) });
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

async function main(niceness: number): Promise<void> {
  offerToKernel();
  if (niceness > 0) setPriority(niceness);
  const warmUpCpuMs = await warmUp();
  process.on('message', (work: ToDecoder) => void answer(work));
  // The parent has ended, or needs this process no more.
  process.on('disconnect', () => process.exit(0));
  // The parent drains: it decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  send({ kind: 'ready', warmUpCpuMs });
}

void main(Number(process.argv[2]));
