import type { Field } from '../field';

/** The output of the tread network for one image (training/README.md). Fields cover the image without its padding. */
export interface TreadMaps {
  /** Probabilities per pixel. */
  readonly tread: Field;
  readonly groove: Field;
  /** Depth of the groove in millimetres as a gauge reads it, and its expected mean error. */
  readonly depth: Field;
  readonly spread: Field;
  /** Ends of the 90 % interval of the depth, where the network has them. */
  readonly depthLow?: Field;
  readonly depthHigh?: Field;
  /** Probability that a pixel of the tread has lost its pattern, where the network has it. */
  readonly bald?: Field;
  /** Lateral position on the visible tread: -1 is the left edge in the upright image, 1 the right one. */
  readonly lateral: Field;
  /** Clockwise from upright. */
  readonly rotationRad: number;
  /** Probabilities that the vehicle's outside is not visible, on the left, and on the right of the upright image. */
  readonly side: readonly [unknown: number, left: number, right: number];
  readonly isTread: number;
  readonly blurPx: number;
  /** Mean of the image, 0 to 1. */
  readonly brightness: number;
}

/** Fewer pixels are stray. */
export const MIN_TREAD_PX = 200;

/** Probability above which a pixel is tread. */
export const TREAD = 0.5;

/** Indices of the pixels of the tread, row by row. A loop over its places is quicker than `for … of`. */
export function treadPixels({ tread: { data } }: TreadMaps): Int32Array {
  const pixels = new Int32Array(data.length);
  let count = 0;
  for (let i = 0; i < data.length; i++) if (data[i]! > TREAD) pixels[count++] = i;
  return pixels.subarray(0, count);
}

/** Sides of the box around the tread, without one in a hundred of its pixels on each side, which may be stray. */
export function treadBox({ tread: { width, height } }: TreadMaps, tread: Int32Array) {
  const [ofColumn, ofRow] = [new Int32Array(width), new Int32Array(height)];
  let row = 0;
  for (let k = 0; k < tread.length; k++) {
    const i = tread[k]!;
    while (i >= (row + 1) * width) row++;
    ofColumn[i - row * width]!++;
    ofRow[row]!++;
  }
  const place = (counts: Int32Array, share: number) => placeOf(counts, Math.min(tread.length - 1, Math.floor(share * tread.length)));
  return { left: place(ofColumn, 0.01), right: place(ofColumn, 0.99), top: place(ofRow, 0.01), bottom: place(ofRow, 0.99) };
}

/** Where the one stands that has `rank` others before it. */
function placeOf(counts: Int32Array, rank: number): number {
  let passed = 0;
  return counts.findIndex((count) => (passed += count) > rank);
}

/** At the tread's angle `angleRad`, left and right are those of the network, or swapped: half a turn on. */
export const isSwappedAt = ({ rotationRad }: TreadMaps, angleRad: number): boolean => Math.cos(angleRad - rotationRad) < 0;

export function sideAt(maps: TreadMaps, angleRad: number): TreadMaps['side'] {
  const [unknown, left, right] = maps.side;
  return isSwappedAt(maps, angleRad) ? [unknown, right, left] : [unknown, left, right];
}
