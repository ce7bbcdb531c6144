import type { RetakeReason } from '@tire/kernel';
import { median, quantile, type Field } from '../field';

// Luminance from 0 to 255. Rubber is black: an image of a tire has brighter and darker pixels than these.
const DARKEST_LIGHT = 55;
const BRIGHTEST_DARK = 165;
// In pixels of the decoded image, where a letter's stroke is 4 to 8 pixels wide.
const WIDEST_EDGE_PX = 11;

/** Faults of an image whatever it shows, the most decisive first. */
export function imageFaults(luminance: Field): RetakeReason[] {
  const sampled = luminance.data.filter((_, i) => i % 37 === 0);
  // In a dark image everything else is noise.
  if (quantile(sampled, 0.95) < DARKEST_LIGHT) return ['too_dark'];
  if (quantile(sampled, 0.2) > BRIGHTEST_DARK) return ['too_bright'];
  return edgeWidthPx(luminance) > WIDEST_EDGE_PX ? ['blurred'] : [];
}

const EVERY = 6;
/** Minimum contrast of an edge. */
const MIN_CONTRAST = 40;

/** The width in pixels of the sharpest edges, along the axis where they are wider; 0 without edges. */
export function edgeWidthPx({ width, height, data }: Field): number {
  const [along, down]: [number[], number[]] = [[], []];
  for (let y = 0; y < height; y += EVERY) edgesOf(data, y * width, 1, width, along);
  for (let x = 0; x < width; x += EVERY) edgesOf(data, x, width, height, down);
  return Math.max(median(along), median(down));
}

/** Splits a line of pixels into monotonic runs, and measures each run between 10 % and 90 % of its contrast. */
function edgesOf(data: Float32Array, first: number, step: number, count: number, widths: number[]): void {
  let start = 0;
  let rising = 0;
  for (let i = 1; i <= count; i++) {
    const change = i < count ? Math.sign(difference(data, first, step, i)) : 0;
    if (change === rising) continue;
    if (rising !== 0) widths.push(...widthOf(data, first + start * step, step, i - 1 - start));
    [start, rising] = [i - 1, change];
  }
}

/** A difference below one is grain. */
function difference(data: Float32Array, first: number, step: number, i: number): number {
  const change = data[first + i * step]! - data[first + (i - 1) * step]!;
  return Math.abs(change) < 1 ? 0 : change;
}

function widthOf(data: Float32Array, from: number, step: number, length: number): number[] {
  const whole = data[from + length * step]! - data[from]!;
  if (Math.abs(whole) < MIN_CONTRAST) return [];
  const shareAt = (i: number) => (data[from + i * step]! - data[from]!) / whole;
  let [low, high] = [0, length];
  while (shareAt(low + 1) < 0.1) low++;
  while (shareAt(high - 1) > 0.9) high--;
  return [high - low];
}
