/** Pixels of a side of the square that the network looks at. */
export const SQUARE_PX = 128;
