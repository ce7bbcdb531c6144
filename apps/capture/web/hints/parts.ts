/** The whole picture, small: light, texture and motion need no more. */
export const SMALL_LONG_SIDE_PX = 160;
/** Parts of the picture at full resolution, in which edges are measured. */
export const PART_PX = 192;
/** Centres of the parts, as shares of the sides: the middle of a tread, and the rubber of a wheel at its left and below. */
export const PARTS: readonly (readonly [x: number, y: number])[] = [
  [0.5, 0.5],
  [0.22, 0.5],
  [0.5, 0.8],
];
