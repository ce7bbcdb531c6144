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

/** Sums of each column slide down the field, and their sum slides along the row. */
export function localStatistics({ width, height, data }: Field, radius: number): LocalStatistics {
  const [mean, spread] = [emptyField(width, height), emptyField(width, height)];
  const [sums, squares] = [new Float64Array(width), new Float64Array(width)];
  for (let y = 0; y < Math.min(radius, height); y++) addRow(data, y * width, sums, squares);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) addRow(data, (y + radius) * width, sums, squares);
    if (y > radius) subtractRow(data, (y - radius - 1) * width, sums, squares);
    const rows = Math.min(height, y + radius + 1) - Math.max(0, y - radius);
    let sum = 0;
    let square = 0;
    let columns = 0;
    for (let x = -radius; x < width; x++) {
      if (x + radius < width) {
        sum += sums[x + radius]!;
        square += squares[x + radius]!;
        columns++;
      }
      if (x < 0) continue;
      if (x > radius) {
        sum -= sums[x - radius - 1]!;
        square -= squares[x - radius - 1]!;
        columns--;
      }
      const here = sum / (rows * columns);
      const variance = square / (rows * columns) - here * here;
      mean.data[y * width + x] = here;
      spread.data[y * width + x] = variance > 0 ? Math.sqrt(variance) : 0;
    }
  }
  return { mean, spread };
}

function addRow(data: Float32Array, from: number, sums: Float64Array, squares: Float64Array): void {
  for (let x = 0; x < sums.length; x++) {
    const value = data[from + x]!;
    sums[x]! += value;
    squares[x]! += value * value;
  }
}

function subtractRow(data: Float32Array, from: number, sums: Float64Array, squares: Float64Array): void {
  for (let x = 0; x < sums.length; x++) {
    const value = data[from + x]!;
    sums[x]! -= value;
    squares[x]! -= value * value;
  }
}

/** Area average for shrinking, bilinear interpolation for enlarging. A field of that size is returned as it is. */
export function resized(field: Field, width: number, height: number): Field {
  if (field.width === width && field.height === height) return field;
  const [across, down] = [tapsOf(field.width, width), tapsOf(field.height, height)];
  const alongRow = across.most > 2 ? meansAlongRow : blendsAlongRow;
  const result = emptyField(width, height);
  // Only the rows that a target row needs, each in the place of one that is not needed any more.
  const rows = Array.from({ length: down.most }, () => new Float32Array(width));
  const sums = new Float64Array(width);
  let ready = 0;
  for (let y = 0; y < height; y++) {
    const at = y * down.most;
    const first = down.first[y]!;
    const count = down.count[y]!;
    for (ready = Math.max(ready, first); ready < first + count; ready++) alongRow(rows[ready % down.most]!, field, ready, across);
    if (count > 2) {
      sums.fill(0);
      for (let i = 0; i < count; i++) addWeighted(sums, rows[(first + i) % down.most]!, down.weights[at + i]!);
      result.data.set(sums, y * width);
    } else {
      const above = rows[first % down.most]!;
      const below = rows[(first + count - 1) % down.most]!;
      const [upper, lower] = [down.weights[at]!, down.weights[at + 1]!];
      for (let x = 0; x < width; x++) result.data[y * width + x] = upper * above[x]! + lower * below[x]!;
    }
  }
  return result;
}

function addWeighted(sums: Float64Array, row: Float32Array, weight: number): void {
  for (let x = 0; x < sums.length; x++) sums[x]! += weight * row[x]!;
}

function meansAlongRow(row: Float32Array, { width, data }: Field, y: number, { most, first, count, weights }: Taps): void {
  for (let x = 0; x < row.length; x++) {
    const from = y * width + first[x]!;
    let sum = 0;
    for (let i = 0; i < count[x]!; i++) sum += weights[x * most + i]! * data[from + i]!;
    row[x] = sum;
  }
}

/** The same without an inner loop, for at most two source pixels. */
function blendsAlongRow(row: Float32Array, { width, data }: Field, y: number, { first, count, weights }: Taps): void {
  for (let x = 0; x < row.length; x++) {
    const left = y * width + first[x]!;
    row[x] = weights[2 * x]! * data[left]! + weights[2 * x + 1]! * data[left + count[x]! - 1]!;
  }
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
  const most = steps === 1 ? 2 : Math.ceil(scale) + 2;
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
  const fx = cx - left;
  const fy = cy - top;
  const at = top * field.width + left;
  const right = field.width > 1 ? 1 : 0;
  const below = field.height > 1 ? field.width : 0;
  const above = field.data[at]! * (1 - fx) + field.data[at + right]! * fx;
  return above * (1 - fy) + (field.data[at + below]! * (1 - fx) + field.data[at + below + right]! * fx) * fy;
}
