import type { Frame } from './frame';

/**
 * How sharp a picture is: the width of its edges in pixels, between 10 % and 90 % of their contrast, as the service measures it. Unlike the
 * variance of the Laplacian it hardly depends on light and on what is in the picture. README, figures: both on the same frames.
 */
const EVERY = 4;
/** A difference below one grey level is grain. */
const GRAIN = 1;
/** The least contrast of an edge. */
const CONTRAST = 30;
/** So few edges say nothing. */
const EDGES_MIN = 12;

/** The median width of the edges, along the axis where they are wider; null where there are hardly any. */
export function edgeWidthOf({ width, height, luma }: Frame): number | null {
  const [along, down]: [number[], number[]] = [[], []];
  for (let y = 0; y < height; y += EVERY) edgesOf(luma, y * width, 1, width, along);
  for (let x = 0; x < width; x += EVERY) edgesOf(luma, x, width, height, down);
  if (along.length + down.length < EDGES_MIN) return null;
  return Math.max(medianOf(along), medianOf(down));
}

/** Splits a line of pixels into runs that rise or fall. */
function edgesOf(luma: Float32Array, first: number, step: number, count: number, widths: number[]): void {
  let start = 0;
  let direction = 0;
  for (let i = 1; i <= count; i++) {
    const difference = i < count ? luma[first + i * step]! - luma[first + (i - 1) * step]! : 0;
    const sign = Math.abs(difference) < GRAIN ? 0 : Math.sign(difference);
    if (sign === direction) continue;
    if (direction !== 0) {
      const width = widthOf(luma, first + start * step, step, i - 1 - start);
      if (width !== null) widths.push(width);
    }
    [start, direction] = [i - 1, sign];
  }
}

function widthOf(luma: Float32Array, from: number, step: number, length: number): number | null {
  const base = luma[from]!;
  const contrast = luma[from + length * step]! - base;
  if (Math.abs(contrast) < CONTRAST) return null;
  const shareAt = (i: number) => (luma[from + i * step]! - base) / contrast;
  let [low, high] = [0, length];
  while (shareAt(low + 1) < 0.1) low++;
  while (shareAt(high - 1) > 0.9) high--;
  return high - low;
}

function medianOf(values: number[]): number {
  if (values.length === 0) return 0;
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)]!;
}

/** The variance of the Laplacian, against which the width of edges was chosen. */
export function laplacianVarianceOf({ width, height, luma }: Frame): number {
  let [sum, squares, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const value = luma[i - 1]! + luma[i + 1]! + luma[i - width]! + luma[i + width]! - 4 * luma[i]!;
      sum += value;
      squares += value * value;
      count++;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}
