import sharp from 'sharp';
import type { Field } from '../domain/field';
import type { View } from '../domain/tread/measure-tread';
import type { TreadMaps } from '../domain/tread/tread-maps';
import type { RgbImage } from '../imaging/decode';
import { plane, type Network } from './network';

/** The network needs sides that are multiples of this. */
const STRIDE_PX = 32;
/** Interpolation needs two pixels. */
const MIN_SIDE_PX = 2;
export const WHOLE: View = { left: 0, top: 0, width: 1, height: 1 };

export interface Part {
  readonly image: RgbImage;
  readonly view: View;
}

export interface Prediction {
  readonly view: View;
  readonly maps: TreadMaps;
}

/** One run of the tread network on parts of images, each scaled to `inputPx`. */
export async function look(network: Network, parts: readonly Part[], inputPx: number): Promise<Prediction[]> {
  const fitted = await Promise.all(parts.map(({ image, view }) => fit(image, view, inputPx)));
  const results = await network.run(fitted.map(({ padded }) => padded));
  return results.map((planes, i) => ({ view: parts[i]!.view, maps: mapsOf(planes, fitted[i]!) }));
}

interface Fitted {
  readonly padded: RgbImage;
  readonly width: number;
  readonly height: number;
}

/** Scales the part to the network's input size, and repeats its last row and column up to a multiple of the stride. */
async function fit(image: RgbImage, view: View, inputPx: number): Promise<Fitted> {
  const across = pixelsOf(view.left, view.width, image.width);
  const down = pixelsOf(view.top, view.height, image.height);
  const part = { left: across.from, top: down.from, width: across.count, height: down.count };
  const scale = inputPx / Math.max(part.width, part.height);
  const [width, height] = [part.width, part.height].map((side) => Math.max(MIN_SIDE_PX, Math.round(side * scale))) as [number, number];
  const padding = { right: -width & (STRIDE_PX - 1), bottom: -height & (STRIDE_PX - 1) };
  const { data, info } = await sharp(image.rgb, { raw: { width: image.width, height: image.height, channels: 3 } })
    .extract(part)
    .resize(width, height, { fit: 'fill' })
    .extend({ ...padding, extendWith: 'copy' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { padded: { width: info.width, height: info.height, rgb: data }, width, height };
}

/** Rounds both ends to whole pixels, at least one apart. Rounding a length by itself could reach beyond the image. */
function pixelsOf(start: number, length: number, all: number): { from: number; count: number } {
  const from = Math.min(all - 1, Math.round(start * all));
  return { from, count: Math.max(1, Math.min(all, Math.round((start + length) * all)) - from) };
}

function mapsOf(planes: Map<string, Field>, fitted: Fitted): TreadMaps {
  const { width, height } = fitted;
  const field = (name: string) => cropped(plane(planes, name), width, height);
  const [cos, sin] = plane(planes, 'rotation').data;
  const [unknown, left, right] = plane(planes, 'side').data;
  const [blurPx] = plane(planes, 'quality').data;
  const given = (name: string) => (planes.has(name) ? field(name) : undefined);
  return {
    ...{ tread: field('tread'), groove: field('groove'), depth: field('depth'), spread: field('spread'), lateral: field('lateral') },
    ...{ depthLow: given('depth_low'), depthHigh: given('depth_high'), bald: given('bald') },
    rotationRad: Math.atan2(sin!, cos!) / 2,
    side: [unknown!, left!, right!],
    isTread: plane(planes, 'is_tread').data[0]!,
    ...{ blurPx: blurPx!, brightness: brightnessOf(fitted) },
  };
}

/** Computed, because a network's estimate is poor for images unlike its training data, such as a black frame. */
function brightnessOf({ padded, width, height }: Fitted): number {
  const { rgb } = padded;
  let sum = 0;
  for (let y = 0; y < height; y++) for (let i = 3 * y * padded.width; i < 3 * (y * padded.width + width); i++) sum += rgb[i]!;
  return sum / (3 * width * height * 255);
}

function cropped(field: Field, width: number, height: number): Field {
  if (field.width === width) return { width, height, data: field.data.subarray(0, width * height) };
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++) data.set(field.data.subarray(y * field.width, y * field.width + width), y * width);
  return { width, height, data };
}
