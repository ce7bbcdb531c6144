import type { Field } from '../field';

/** Minimum coherence, 0 to 1: how much more the map changes across its lines than along them. */
const MIN_COHERENCE = 0.4;
/** Smoothing removes the steps between pixels, whose gradients point along rows and columns: 1 4 6 4 1 four times, from the middle. */
const [C0, C1, C2, C3, C4, C5, C6, C7, C8] = [12870, 11440, 8008, 4368, 1820, 560, 120, 16, 1].map((tap) => tap / 2 ** 16) as Taps;
type Taps = [number, number, number, number, number, number, number, number, number];
/** Smoothed values near the border depend on pixels beyond it. */
const MARGIN = 8;

/**
 * The angle of the grooves, clockwise from upright, from the gradients of all walls (structure tensor, Förstner). It is more precise than
 * the network's estimate for the whole image, which is the fallback for images with hardly any lines.
 */
export function grooveDirection({ width, height, data }: Field, fallbackRad: number): number {
  // One row and one column of zeros at each border.
  const rows = new Float32Array((height + 2) * width);
  rows.set(data, width);
  const column = new Float64Array(width + 2);
  const smoothed = (y: number, to: Float64Array) => smoothRow(rows, (y + 1) * width, column, to);
  let [above, here, below] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  smoothed(MARGIN - 1, above);
  smoothed(MARGIN, here);
  const sums = { xx: 0, yy: 0, xy: 0 };
  for (let y = MARGIN; y < height - MARGIN; y++) {
    smoothed(y + 1, below);
    addGradients(sums, above, here, below);
    [above, here, below] = [here, below, above];
  }
  const { xx, yy, xy } = sums;
  const coherence = Math.hypot(xx - yy, 2 * xy) / Math.max(1e-9, xx + yy);
  return coherence < MIN_COHERENCE ? fallbackRad : Math.atan2(2 * xy, xx - yy) / 2;
}

/** Smooths along the columns, then along the row, up to one pixel beyond the margin. */
function smoothRow(d: Float32Array, row: number, column: Float64Array, to: Float64Array): void {
  const w = to.length;
  for (let x = 0, i = row; x < w; x++, i++) {
    column[x + 1] =
      C0 * d[i]! +
      C1 * (d[i - w]! + d[i + w]!) +
      C2 * (d[i - 2 * w]! + d[i + 2 * w]!) +
      C3 * (d[i - 3 * w]! + d[i + 3 * w]!) +
      C4 * (d[i - 4 * w]! + d[i + 4 * w]!) +
      C5 * (d[i - 5 * w]! + d[i + 5 * w]!) +
      C6 * (d[i - 6 * w]! + d[i + 6 * w]!) +
      C7 * (d[i - 7 * w]! + d[i + 7 * w]!) +
      C8 * (d[i - 8 * w]! + d[i + 8 * w]!);
  }
  for (let x = MARGIN - 1, i = MARGIN; x <= w - MARGIN; x++, i++) {
    to[x] =
      C0 * column[i]! +
      C1 * (column[i - 1]! + column[i + 1]!) +
      C2 * (column[i - 2]! + column[i + 2]!) +
      C3 * (column[i - 3]! + column[i + 3]!) +
      C4 * (column[i - 4]! + column[i + 4]!) +
      C5 * (column[i - 5]! + column[i + 5]!) +
      C6 * (column[i - 6]! + column[i + 6]!) +
      C7 * (column[i - 7]! + column[i + 7]!) +
      C8 * (column[i - 8]! + column[i + 8]!);
  }
}

function addGradients(sums: { xx: number; yy: number; xy: number }, above: Float64Array, here: Float64Array, below: Float64Array): void {
  let [xx, yy, xy] = [0, 0, 0];
  for (let x = MARGIN; x < here.length - MARGIN; x++) {
    const dx = here[x + 1]! - here[x - 1]!;
    const dy = below[x]! - above[x]!;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  sums.xx += xx;
  sums.yy += yy;
  sums.xy += xy;
}
