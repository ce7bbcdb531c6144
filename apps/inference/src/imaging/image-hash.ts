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

const edgesOf = (length: number, cells: number): number[] =>
  Array.from({ length: cells + 1 }, (_, cell) => Math.max(0, Math.ceil((cell * length) / cells - 0.5)));

/**
 * Mean luminance of each cell. A pixel on the border between cells belongs to the one with its centre. The sums of the channels are whole
 * numbers below 2 ** 53, so equal cells have equal means.
 */
function cellsOf({ width, height, rgb }: RgbImage, columns: number, rows: number): Float64Array {
  const [across, down] = [edgesOf(width, columns), edgesOf(height, rows)];
  return Float64Array.from({ length: columns * rows }, (_, cell) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const [left, right, top, bottom] = [across[column]!, across[column + 1]!, down[row]!, down[row + 1]!];
    let [red, green, blue] = [0, 0, 0];
    for (let y = top; y < bottom; y++) {
      for (let i = 3 * (y * width + left), end = 3 * (y * width + right); i < end; i += 3) {
        red += rgb[i]!;
        green += rgb[i + 1]!;
        blue += rgb[i + 2]!;
      }
    }
    return (299 * red + 587 * green + 114 * blue) / Math.max(1, (right - left) * (bottom - top));
  });
}
