import { emptyField, type Field } from '../field';

/** Statistics of the square around each pixel. */
export interface LocalStatistics {
  readonly mean: Field;
  readonly spread: Field;
}

/**
 * Local contrast normalization, for black letters on black rubber: each pixel relative to the mean and deviation around it, scaled to
 * 0..255.
 */
export function normalized({ width, height, data }: Field, { mean, spread }: LocalStatistics): Field {
  const result = emptyField(width, height);
  for (let i = 0; i < data.length; i++) result.data[i] = 128 + (56 * (data[i]! - mean.data[i]!)) / (spread.data[i]! + 6);
  return result;
}

/** Gaussian blur. It removes noise, which is finer than letters. */
export function smoothed(field: Field, sigmaPx: number): Field {
  const reach = Math.ceil(2 * sigmaPx);
  const bell = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * sigmaPx ** 2)));
  const all = bell.reduce((sum, weight) => sum + weight, 0);
  const weights = Float32Array.from(bell, (weight) => weight / all);
  return alongLines(alongLines(field, weights), weights);
}

/** Filters rows and transposes the result, so that two calls filter both axes. Border pixels repeat outwards. */
function alongLines({ width, height, data }: Field, weights: Float32Array): Field {
  const reach = (weights.length - 1) / 2;
  const result = emptyField(height, width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let i = -reach; i <= reach; i++) sum += weights[i + reach]! * data[y * width + Math.min(width - 1, Math.max(0, x + i))]!;
      result.data[x * height + y] = sum;
    }
  }
  return result;
}

export function localStatistics(field: Field, radius: number): LocalStatistics {
  const { width, height, data } = field;
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  const squares = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = data[y * width + x]!;
      const at = (y + 1) * stride + x + 1;
      sums[at] = value + sums[at - 1]! + sums[at - stride]! - sums[at - stride - 1]!;
      squares[at] = value * value + squares[at - 1]! + squares[at - stride]! - squares[at - stride - 1]!;
    }
  }
  const [mean, spread] = [emptyField(width, height), emptyField(width, height)];
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - radius);
      const right = Math.min(width, x + radius + 1);
      const count = (bottom - top) * (right - left);
      const here = within(sums, top * stride, bottom * stride, left, right) / count;
      mean.data[y * width + x] = here;
      spread.data[y * width + x] = Math.sqrt(
        Math.max(0, within(squares, top * stride, bottom * stride, left, right) / count - here * here),
      );
    }
  }
  return { mean, spread };
}

/** The sum over a rectangle, from a table of sums. `above` and `below` are the starts of its rows. */
const within = (table: Float64Array, above: number, below: number, left: number, right: number): number =>
  table[below + right]! - table[above + right]! - table[below + left]! + table[above + left]!;

/** Area average for shrinking, bilinear interpolation for enlarging. A field of that size is returned as it is. */
export function resized(field: Field, width: number, height: number): Field {
  if (field.width === width && field.height === height) return field;
  const rows = new Float32Array(width * field.height);
  const across = tapsOf(field.width, width);
  for (let y = 0; y < field.height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * field.width + across.first[x]!;
      const count = across.count[x]!;
      let sum = 0;
      for (let i = 0; i < count; i++) sum += across.weights[x * across.most + i]! * field.data[from + i]!;
      rows[y * width + x] = sum;
    }
  }
  const result = emptyField(width, height);
  const down = tapsOf(field.height, height);
  for (let y = 0; y < height; y++) {
    const first = down.first[y]!;
    const count = down.count[y]!;
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += down.weights[y * down.most + i]! * rows[(first + i) * width + x]!;
      result.data[y * width + x] = sum;
    }
  }
  return result;
}

/** The source pixels of each target pixel: `count` of them from `first` on, with `most` places for their weights. */
interface Taps {
  readonly most: number;
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly weights: Float32Array;
}

function tapsOf(from: number, to: number): Taps {
  const scale = from / to;
  const steps = Math.max(1, Math.round(scale));
  const most = Math.ceil(scale) + 2;
  const [first, count, weights] = [new Int32Array(to), new Int32Array(to), new Float32Array(to * most)];
  for (let pixel = 0; pixel < to; pixel++) {
    const pointOf = (i: number) => Math.min(from - 1, Math.max(0, (pixel + (i + 0.5) / steps) * scale - 0.5));
    const start = (first[pixel] = Math.floor(pointOf(0)));
    count[pixel] = Math.ceil(pointOf(steps - 1)) - start + 1;
    for (let i = 0; i < steps; i++) {
      const point = pointOf(i);
      const left = Math.floor(point);
      const at = pixel * most + left - start;
      weights[at]! += (1 - (point - left)) / steps;
      if (point > left) weights[at + 1]! += (point - left) / steps;
    }
  }
  return { most, first, count, weights };
}

/** Bilinear interpolation; border pixels repeat outwards. */
export function clamped(field: Field, x: number, y: number): number {
  const cx = Math.min(field.width - 1, Math.max(0, x));
  const cy = Math.min(field.height - 1, Math.max(0, y));
  const left = Math.max(0, Math.min(Math.floor(cx), field.width - 2));
  const top = Math.max(0, Math.min(Math.floor(cy), field.height - 2));
  const [fx, fy] = [cx - left, cy - top];
  const at = top * field.width + left;
  const [right, below] = [field.width > 1 ? 1 : 0, field.height > 1 ? field.width : 0];
  const above = field.data[at]! * (1 - fx) + field.data[at + right]! * fx;
  return above * (1 - fy) + (field.data[at + below]! * (1 - fx) + field.data[at + below + right]! * fx) * fy;
}
