import { emptyField, type Field, type Point } from '../field';
import { clamped, evened, resized, surroundings, type Surroundings } from './enhance';
import type { ToPhotograph } from './outline';
import { naturalHeight, onRingShape, unwrapShape, type RingShape } from './ring-shape';
import { cutOut, scaledBox, widthOf, type TextBox } from './text-boxes';

/** What text is read on, as fine as the photograph has it. */
interface Fine {
  readonly fine: Field;
  /** From its pixels. */
  readonly toPhotograph: ToPhotograph;
}

/** Text is looked for at another scale than it is read at. */
export interface Sheet extends Fine {
  readonly coarse: Field;
  /** Of the coarse one. */
  readonly around: Surroundings;
}

/** How a box is looked at. */
export interface Manner {
  readonly isEvened: boolean;
  readonly isTurned: boolean;
  /** Times the height of the box. */
  readonly grown: number;
}

/** Of the way round, that a strip goes on. */
const OVERLAP = 0.12;
const RECOGNIZER_HEIGHT_PX = 48;
const RECOGNIZER_MAX_LENGTH_PX = 960;

/** The tire's side laid out straight. */
export function stripOf(luminance: Field, ring: RingShape): Fine {
  const fine = unwrapShape(luminance, ring, OVERLAP, Math.round(naturalHeight(ring)));
  return { fine, toPhotograph: onRingShape(ring, fine.height) };
}

/** A close-up laid out straight about a point outside of it, its up as near to the picture's as can be. */
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
  const toPhotograph = ({ x, y }: Point): Point => {
    const [across, down] = isBelow ? [x / fine.width, y] : [1 - x / fine.width, fine.height - y];
    const [angle, radius] = [middle + from + (to - from) * across, farthest - down];
    return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
  };
  for (let x = 0; x < fine.width; x++) {
    const [top, foot] = [toPhotograph({ x, y: 0 }), toPhotograph({ x, y: fine.height })];
    const [dx, dy] = [(foot.x - top.x) / fine.height, (foot.y - top.y) / fine.height];
    for (let y = 0; y < fine.height; y++) fine.data[y * fine.width + x] = clamped(luminance, top.x + y * dx, top.y + y * dy);
  }
  return { fine, toPhotograph };
}

export const plainOf = (luminance: Field): Fine => ({ fine: luminance, toPhotograph: (point) => point });

/** `scale` is that of the coarse one; each of its pixels is compared with those `aroundPx` about it. */
export function sheetOf({ fine, toPhotograph }: Fine, scale: number, aroundPx: number): Sheet {
  const [width, height] = [fine.width, fine.height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const coarse = resized(fine, width, height);
  return { fine, toPhotograph, coarse, around: surroundings(coarse, aroundPx) };
}

export const evenedSheet = ({ coarse, around }: Sheet): Field => evened(coarse, around);

/** A box of the coarse sheet on the fine one. */
export const onFine = ({ fine, coarse }: Sheet, box: TextBox): TextBox =>
  scaledBox(box, fine.width / coarse.width, fine.height / coarse.height);

/** A box of the coarse sheet as the recognizer gets it. */
export function cropOf(sheet: Sheet, found: TextBox, { grown, isEvened, isTurned }: Manner): Field {
  const box = { ...found, height: found.height * grown, length: found.length + found.height * (grown - 1) };
  const width = widthOf(box, RECOGNIZER_HEIGHT_PX, RECOGNIZER_MAX_LENGTH_PX);
  const around = (field: Field) => cutOut(field, box, width, RECOGNIZER_HEIGHT_PX);
  const plain = cutOut(sheet.fine, onFine(sheet, box), width, RECOGNIZER_HEIGHT_PX);
  const crop = isEvened ? evened(plain, { mean: around(sheet.around.mean), spread: around(sheet.around.spread) }) : plain;
  return isTurned ? { ...crop, data: Float32Array.from(crop.data).reverse() } : crop;
}
