import type { Field } from '../field';

/** Minimum coherence, 0 to 1: how much more the map changes across its lines than along them. */
const MIN_COHERENCE = 0.4;
/** Smoothing removes the steps between pixels, whose gradients point along rows and columns. */
const [OUTER, INNER, MIDDLE] = [1 / 16, 4 / 16, 6 / 16];
const ROUNDS = 4;
/** Smoothed values near the border depend on pixels beyond it. */
const MARGIN = 2 * ROUNDS;

/**
 * The angle of the grooves, clockwise from upright, from the gradients of all walls (structure tensor, Förstner). It is more precise than
 * the network's estimate for the whole image, which is the fallback for images with hardly any lines.
 */
export function grooveDirection(groove: Field, fallbackRad: number): number {
  const { width, height, data } = smoothed(groove);
  let [xx, yy, xy] = [0, 0, 0];
  for (let y = MARGIN; y < height - MARGIN; y++) {
    for (let x = MARGIN; x < width - MARGIN; x++) {
      const at = y * width + x;
      const dx = data[at + 1]! - data[at - 1]!;
      const dy = data[at + width]! - data[at - width]!;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
  }
  const coherence = Math.hypot(xx - yy, 2 * xy) / Math.max(1e-9, xx + yy);
  return coherence < MIN_COHERENCE ? fallbackRad : Math.atan2(2 * xy, xx - yy) / 2;
}

function smoothed({ width, height, data }: Field): Field {
  const [result, between] = [data.slice(), new Float32Array(data.length)];
  for (let round = 0; round < ROUNDS; round++) {
    weigh(result, between, 1);
    weigh(between, result, width);
  }
  return { width, height, data: result };
}

/** Smooths along one axis; neighbours are `stride` apart. */
function weigh(data: Float32Array, to: Float32Array, stride: number): void {
  const further = 2 * stride;
  to.fill(0, 0, further);
  to.fill(0, Math.max(0, to.length - further));
  for (let at = further; at < data.length - further; at++) {
    const before = OUTER * data[at - further]! + INNER * data[at - stride]!;
    to[at] = before + MIDDLE * data[at]! + INNER * data[at + stride]! + OUTER * data[at + further]!;
  }
}
