import { quantile, type Field } from '../../field';

/** The strongest gradients of a field, one after the other. */
export interface Edges {
  readonly count: number;
  /** Pixels. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Unit vectors, perpendicular to the edges. */
  readonly dx: Float32Array;
  readonly dy: Float32Array;
}

/** An edge is at least this strong, and stronger than this share of all pixels. */
const MIN_MAGNITUDE = 16;
const WEAKER = 0.85;
/** One pixel of so many tells how strong the others are. */
const SAMPLED = 5;

export function edgesOf({ width, height, data }: Field): Edges {
  const [gx, gy, magnitudes] = [new Float32Array(data.length), new Float32Array(data.length), new Float32Array(data.length)];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const north = at - width;
      const south = at + width;
      gx[at] = data[at + 1]! - data[at - 1]! + (data[north + 1]! - data[north - 1]! + data[south + 1]! - data[south - 1]!) / 2;
      gy[at] = data[south]! - data[north]! + (data[south - 1]! - data[north - 1]! + data[south + 1]! - data[north + 1]!) / 2;
      magnitudes[at] = Math.sqrt(gx[at]! * gx[at]! + gy[at]! * gy[at]!);
    }
  }
  const threshold = Math.max(MIN_MAGNITUDE, quantile(sampled(magnitudes, width, height), WEAKER));
  let count = 0;
  for (let at = 0; at < magnitudes.length; at++) if (magnitudes[at]! >= threshold) count++;
  const edges = { x: new Int32Array(count), y: new Int32Array(count), dx: new Float32Array(count), dy: new Float32Array(count) };
  let i = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (magnitudes[at]! < threshold) continue;
      edges.x[i] = x;
      edges.y[i] = y;
      edges.dx[i] = gx[at]! / magnitudes[at]!;
      edges.dy[i++] = gy[at]! / magnitudes[at]!;
    }
  }
  return { count, ...edges };
}

/** Pixels along diagonals. */
function sampled(values: Float32Array, width: number, height: number): Float32Array {
  const sample = new Float32Array(Math.ceil((width * height) / SAMPLED) + height);
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = (SAMPLED - (y % SAMPLED)) % SAMPLED; x < width; x += SAMPLED) sample[count++] = values[y * width + x]!;
  return sample.subarray(0, count);
}
