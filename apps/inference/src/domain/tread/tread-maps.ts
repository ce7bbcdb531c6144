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

export function treadPixels({ tread: { data } }: TreadMaps): number[] {
  const pixels: number[] = [];
  for (let i = 0; i < data.length; i++) if (data[i]! > TREAD) pixels.push(i);
  return pixels;
}

/** At the tread's angle `angleRad`, left and right are those of the network, or swapped: half a turn on. */
export const isSwappedAt = ({ rotationRad }: TreadMaps, angleRad: number): boolean => Math.cos(angleRad - rotationRad) < 0;

export function sideAt(maps: TreadMaps, angleRad: number): TreadMaps['side'] {
  const [unknown, left, right] = maps.side;
  return isSwappedAt(maps, angleRad) ? [unknown, right, left] : [unknown, left, right];
}
