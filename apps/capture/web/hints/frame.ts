/** Grey levels of an image, 0 to 255, row by row. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly luma: Float32Array;
}

/** From the pixels of a canvas. Colors that a person sees as equally bright have the same grey. */
export function frameOf({ width, height, data }: { width: number; height: number; data: Uint8ClampedArray }): Frame {
  const luma = new Float32Array(width * height);
  for (let i = 0, at = 0; i < luma.length; i++, at += 4) luma[i] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  return { width, height, luma };
}
