import type { Field } from '../field';

/** What the tread network says of one picture, as training/README.md describes it. Fields cover the picture and no padding. */
export interface NetworkMaps {
  /** Probability of each pixel. */
  readonly tread: Field;
  readonly groove: Field;
  /** Millimetres that a gauge would read in this groove, and the mean error expected of them. */
  readonly depth: Field;
  readonly spread: Field;
  /** Place across the tread: -1 the left edge of the upright picture, 1 the right one. */
  readonly lateral: Field;
  /** Clockwise from upright. */
  readonly rotationRad: number;
  /** Probabilities that the vehicle's outside is not to be seen, on the left, on the right of the upright picture. */
  readonly side: readonly [unknown: number, left: number, right: number];
  readonly isTread: number;
  readonly blurPx: number;
  /** Mean of the picture, 0 to 1. */
  readonly brightness: number;
}
