import type { Field } from '../field';

/** The output of the tread network for one image (training/README.md). Fields cover the image without its padding. */
export interface TreadMaps {
  /** Probabilities per pixel. */
  readonly tread: Field;
  readonly groove: Field;
  /** Depth of the groove in millimetres as a gauge reads it, and its expected mean error. */
  readonly depth: Field;
  readonly spread: Field;
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

export const treadPixels = ({ tread: { data } }: TreadMaps): number[] => [...data.keys()].filter((i) => data[i]! > 0.5);

/** The sides relative to the tread's angle `angleRad`: half a turn swaps left and right. */
export function sideAt({ side: [unknown, left, right], rotationRad }: TreadMaps, angleRad: number): TreadMaps['side'] {
  return Math.cos(angleRad - rotationRad) < 0 ? [unknown, right, left] : [unknown, left, right];
}
