import sharp, { type Sharp } from 'sharp';

/** One channel, one byte a pixel. */
export interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export type Outline = readonly (readonly [x: number, y: number])[];

async function rasterOf(image: Sharp): Promise<Raster> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const opened = ({ data, width, height }: Raster) => sharp(data, { raw: { width, height, channels: 1 } });

export const readRaster = (file: string, longSidePx: number): Promise<Raster> =>
  rasterOf(sharp(file).resize({ width: longSidePx, height: longSidePx, fit: 'inside' }));

export const flipped = (raster: Raster): Promise<Raster> => rasterOf(opened(raster).flop());

/** The canvas grows around its middle; the new corners are black. */
export const turned = (raster: Raster, degreesClockwise: number): Promise<Raster> =>
  rasterOf(opened(raster).rotate(degreesClockwise, { background: 'black' }));

/** Fills the outlines with white on black. Their coordinates run from 0 to 1. */
export function drawn(outlines: readonly Outline[], { width, height }: Raster): Promise<Raster> {
  const polygons = outlines.map((outline) => `<polygon points="${outline.map(([x, y]) => `${x * width},${y * height}`).join(' ')}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="white">${polygons.join('')}</svg>`;
  return rasterOf(sharp(Buffer.from(svg)).flatten({ background: 'black' }));
}

/** Crops both around their middles to the size that they share: turning there and back leaves a wider canvas. */
export async function aligned(a: Raster, b: Raster): Promise<[Raster, Raster]> {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  const cut = (raster: Raster) => {
    const left = Math.floor((raster.width - width) / 2);
    const top = Math.floor((raster.height - height) / 2);
    return rasterOf(opened(raster).extract({ left, top, width, height }));
  };
  return [await cut(a), await cut(b)];
}

const isSet = (value: number): boolean => value >= 128;

const AROUND = [-1, 0, 1];

/** The best overlap within one pixel: the middle of a canvas that grew by an odd number lies between two pixels. */
export const intersectionOverUnion = (a: Raster, b: Raster): number =>
  Math.max(...AROUND.flatMap((dx) => AROUND.map((dy) => overlap(a, b, dy * a.width + dx))));

function overlap(a: Raster, b: Raster, offset: number): number {
  let both = 0;
  let either = 0;
  for (let index = 0; index < a.data.length; index += 1) {
    const one = isSet(a.data[index]!);
    const other = isSet(b.data[index + offset] ?? 0);
    if (one && other) both += 1;
    if (one || other) either += 1;
  }
  return both / either;
}

/** Mean absolute difference of two rasters under a mask, in levels of 255. */
export function differenceUnder(mask: Raster, a: Raster, b: Raster): number {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < mask.data.length; index += 1) {
    if (!isSet(mask.data[index]!)) continue;
    sum += Math.abs(a.data[index]! - b.data[index]!);
    count += 1;
  }
  return sum / count;
}

/** Horizontal center of the set pixels, 0 to 1. */
export function middleOf(mask: Raster): number {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < mask.data.length; index += 1) {
    if (!isSet(mask.data[index]!)) continue;
    sum += index % mask.width;
    count += 1;
  }
  return sum / count / mask.width;
}
