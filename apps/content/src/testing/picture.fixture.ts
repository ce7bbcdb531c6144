import sharp, { type Sharp } from 'sharp';

/** One channel, one byte a pixel. */
export interface Picture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export type Outline = readonly (readonly [x: number, y: number])[];

async function pictureOf(image: Sharp): Promise<Picture> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const opened = ({ data, width, height }: Picture) => sharp(data, { raw: { width, height, channels: 1 } });

export const readPicture = (file: string, longSidePx: number): Promise<Picture> =>
  pictureOf(sharp(file).resize({ width: longSidePx, height: longSidePx, fit: 'inside' }));

export const flipped = (picture: Picture): Promise<Picture> => pictureOf(opened(picture).flop());

/** The canvas grows around its middle, and what comes in is black. */
export const turned = (picture: Picture, degreesClockwise: number): Promise<Picture> =>
  pictureOf(opened(picture).rotate(degreesClockwise, { background: 'black' }));

/** White where an outline is filled, in the size of a picture on which its coordinates run from 0 to 1. */
export function drawn(outlines: readonly Outline[], { width, height }: Picture): Promise<Picture> {
  const polygons = outlines.map((outline) => `<polygon points="${outline.map(([x, y]) => `${x * width},${y * height}`).join(' ')}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="white">${polygons.join('')}</svg>`;
  return pictureOf(sharp(Buffer.from(svg)).flatten({ background: 'black' }));
}

/** Both cut to what they have in common around their middles: turning there and back leaves a wider canvas. */
export async function aligned(a: Picture, b: Picture): Promise<[Picture, Picture]> {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  const cut = (picture: Picture) => {
    const left = Math.floor((picture.width - width) / 2);
    const top = Math.floor((picture.height - height) / 2);
    return pictureOf(opened(picture).extract({ left, top, width, height }));
  };
  return [await cut(a), await cut(b)];
}

const isSet = (value: number): boolean => value >= 128;

const AROUND = [-1, 0, 1];

/** The best within a pixel each way: the middle of a canvas that has grown by an odd number lies between two. */
export const intersectionOverUnion = (a: Picture, b: Picture): number =>
  Math.max(...AROUND.flatMap((dx) => AROUND.map((dy) => overlap(a, b, dy * a.width + dx))));

function overlap(a: Picture, b: Picture, offset: number): number {
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

/** How far two pictures are apart where a mask is set, in levels of 255. */
export function differenceUnder(mask: Picture, a: Picture, b: Picture): number {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < mask.data.length; index += 1) {
    if (!isSet(mask.data[index]!)) continue;
    sum += Math.abs(a.data[index]! - b.data[index]!);
    count += 1;
  }
  return sum / count;
}

/** Where the middle of what is set lies, from left to right, 0 to 1. */
export function middleOf(mask: Picture): number {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < mask.data.length; index += 1) {
    if (!isSet(mask.data[index]!)) continue;
    sum += index % mask.width;
    count += 1;
  }
  return sum / count / mask.width;
}
