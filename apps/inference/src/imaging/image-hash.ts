import { pointAsShown } from '@tire/kernel';
import type { RgbImage } from './decode';

/** Cells of the shown image. Each bit compares two neighbours in a row. */
const [ACROSS, DOWN] = [9, 8];

/**
 * A perceptual hash (difference hash, 64 bits as 16 hex digits): whether the image becomes brighter from left to right, in 8 rows of 8
 * steps, as a viewer sees it. Mean luminances of cells do not depend on the scale and hardly on the compression. How many bits differ in
 * copies: `NEAR_COPY_BITS`.
 */
export function imageHash(image: RgbImage): string {
  const { orientation = 1 } = image;
  // A quarter turn exchanges rows and columns of cells.
  const [columns, rows] = orientation > 4 ? [DOWN, ACROSS] : [ACROSS, DOWN];
  const stored = cellsOf(image, columns, rows);
  const shown = new Float64Array(ACROSS * DOWN);
  stored.forEach((mean, i) => {
    const [x, y] = pointAsShown(orientation, [((i % columns) + 0.5) / columns, (Math.floor(i / columns) + 0.5) / rows]);
    shown[Math.floor(y * DOWN) * ACROSS + Math.floor(x * ACROSS)] = mean;
  });
  let hash = 0n;
  for (let y = 0; y < DOWN; y++)
    for (let x = 1; x < ACROSS; x++) hash = (hash << 1n) | BigInt(shown[y * ACROSS + x]! > shown[y * ACROSS + x - 1]! ? 1 : 0);
  return hash.toString(16).padStart(16, '0');
}

/** Mean luminance of each cell. A pixel on the border between cells belongs to the one with its centre. */
function cellsOf({ width, height, rgb }: RgbImage, columns: number, rows: number): Float64Array {
  const [sums, counts] = [new Float64Array(columns * rows), new Float64Array(columns * rows)];
  const columnOf = Uint8Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) / width) * columns));
  for (let y = 0; y < height; y++) {
    const first = Math.floor(((y + 0.5) / height) * rows) * columns;
    for (let x = 0, i = 3 * y * width; x < width; x++, i += 3) {
      const cell = first + columnOf[x]!;
      sums[cell]! += 0.299 * rgb[i]! + 0.587 * rgb[i + 1]! + 0.114 * rgb[i + 2]!;
      counts[cell]!++;
    }
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i]!));
}
