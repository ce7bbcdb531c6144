import { columns, emptyField, type Field, type Point } from '../../field';
import { clamped, normalized, resized, localStatistics, type LocalStatistics } from '../enhance';
import type { ToImage } from './outline';
import { naturalHeight, onRingShape, unwrapShape, type RingShape } from '../ring/ring-shape';
import { cutOut, scaledBox, widthOf, type TextBox } from './text-boxes';

/** A rectified field at the resolution of the image: text is read from it. */
export interface Fine {
  readonly fine: Field;
  /** From its pixels to the image. */
  readonly toImage: ToImage;
}

/** Text is detected at a coarse scale and read at full resolution. */
export interface TextView extends Fine {
  readonly coarse: Field;
  /** Statistics of the coarse field. */
  readonly around: LocalStatistics;
}

/** How a box is cropped. */
export interface CropOptions {
  readonly isNormalized: boolean;
  readonly isTurned: boolean;
  /** Factor on the height of the box. */
  readonly grown: number;
}

/** The strip goes on for this share of a turn. */
const OVERLAP = 0.12;
const RECOGNIZER_HEIGHT_PX = 48;
const RECOGNIZER_MAX_LENGTH_PX = 960;

/** The unwrapped sidewall. */
export function stripOf(luminance: Field, ring: RingShape): Fine {
  const fine = unwrapShape(luminance, ring, OVERLAP, Math.round(naturalHeight(ring)));
  return { fine, toImage: onRingShape(ring, fine.height) };
}

/** The part of a strip around a box of its view. The view of that part is `leastPx` long, or longer where the box is. */
export function stripAround({ fine, toImage }: Fine, view: Field, box: TextBox, leastPx: number): Fine {
  const scale = fine.width / view.width;
  const width = Math.min(fine.width, Math.floor(Math.max(leastPx, box.length) * scale));
  const left = Math.round(Math.min(fine.width - width, Math.max(0, box.x * scale - width / 2)));
  return { fine: columns(fine, left, width), toImage: ({ x, y }) => toImage({ x: x + left, y }) };
}

/** A close-up unwrapped around a centre outside of the image, as upright as the image. */
export function straightened(luminance: Field, centre: Point): Fine {
  const { width, height } = luminance;
  const corners = [0, width].flatMap((x) => [0, height].map((y) => ({ x: x - centre.x, y: y - centre.y })));
  const isBelow = centre.y >= height / 2;
  const middle = Math.atan2(height / 2 - centre.y, width / 2 - centre.x);
  const turns = corners.map(({ x, y }) => Math.atan2(Math.sin(Math.atan2(y, x) - middle), Math.cos(Math.atan2(y, x) - middle)));
  const radii = corners.map(({ x, y }) => Math.hypot(x, y));
  const nearest = Math.hypot(Math.max(-centre.x, 0, centre.x - width), Math.max(-centre.y, 0, centre.y - height));
  const [from, to, farthest] = [Math.min(...turns), Math.max(...turns), Math.max(...radii)];
  const fine = emptyField(Math.round(((to - from) * (nearest + farthest)) / 2), Math.round(farthest - nearest));
  const toImage = ({ x, y }: Point): Point => {
    const [across, down] = isBelow ? [x / fine.width, y] : [1 - x / fine.width, fine.height - y];
    const [angle, radius] = [middle + from + (to - from) * across, farthest - down];
    return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
  };
  for (let x = 0; x < fine.width; x++) {
    const top = toImage({ x, y: 0 });
    const foot = toImage({ x, y: fine.height });
    const dx = (foot.x - top.x) / fine.height;
    const dy = (foot.y - top.y) / fine.height;
    for (let y = 0; y < fine.height; y++) fine.data[y * fine.width + x] = clamped(luminance, top.x + y * dx, top.y + y * dy);
  }
  return { fine, toImage };
}

export const plainOf = (luminance: Field): Fine => ({ fine: luminance, toImage: (point) => point });

/** `scale` is the scale of the coarse field. Contrast is normalized within `aroundPx` of each of its pixels. */
export function textViewOf({ fine, toImage }: Fine, scale: number, aroundPx: number): TextView {
  const [width, height] = [fine.width, fine.height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const coarse = resized(fine, width, height);
  return { fine, toImage, coarse, around: localStatistics(coarse, aroundPx) };
}

export const normalizedView = ({ coarse, around }: TextView): Field => normalized(coarse, around);

/** From a box of the coarse field to the fine one. */
export const onFine = ({ fine, coarse }: TextView, box: TextBox): TextBox =>
  scaledBox(box, fine.width / coarse.width, fine.height / coarse.height);

/** The input of the recognizer for a box of the coarse field. */
export function cropOf(textView: TextView, found: TextBox, { grown, isNormalized, isTurned }: CropOptions): Field {
  const box = { ...found, height: found.height * grown, length: found.length + found.height * (grown - 1) };
  const width = widthOf(box, RECOGNIZER_HEIGHT_PX, RECOGNIZER_MAX_LENGTH_PX);
  const around = (field: Field) => cutOut(field, box, width, RECOGNIZER_HEIGHT_PX);
  const plain = cutOut(textView.fine, onFine(textView, box), width, RECOGNIZER_HEIGHT_PX);
  const crop = isNormalized ? normalized(plain, { mean: around(textView.around.mean), spread: around(textView.around.spread) }) : plain;
  return isTurned ? { ...crop, data: Float32Array.from(crop.data).reverse() } : crop;
}
