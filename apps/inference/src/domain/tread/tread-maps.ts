import type { Field } from '../field';

/** What the tread network says of one image, as training/README.md describes it. Fields cover the image and no padding. */
export interface TreadMaps {
  /** Probability of each pixel. */
  readonly tread: Field;
  readonly groove: Field;
  /** Millimetres that a gauge would read in this groove, and the mean error expected of them. */
  readonly depth: Field;
  readonly spread: Field;
  /** Place across what is seen of the tread: -1 its left edge in the upright image, 1 its right one. */
  readonly lateral: Field;
  /** Clockwise from upright. */
  readonly rotationRad: number;
  /** Probabilities that the vehicle's outside is not to be seen, on the left, on the right of the upright image. */
  readonly side: readonly [unknown: number, left: number, right: number];
  readonly isTread: number;
  readonly blurPx: number;
  /** Mean of the image, 0 to 1. */
  readonly brightness: number;
}

/** Fewer are stray pixels, and no tread. */
export const MIN_TREAD_PX = 200;

export const treadPixels = ({ tread: { data } }: TreadMaps): number[] => [...data.keys()].filter((i) => data[i]! > 0.5);

/** The sides as they are called where `angleRad` is taken for the tread's angle: half a turn further, left and right change places. */
export function sideAt({ side: [unknown, left, right], rotationRad }: TreadMaps, angleRad: number): TreadMaps['side'] {
  return Math.cos(angleRad - rotationRad) < 0 ? [unknown, right, left] : [unknown, left, right];
}
