/** One number for every pixel. */
export interface Field {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const emptyField = (width: number, height: number): Field => ({ width, height, data: new Float32Array(width * height) });

/** Some columns of a field, at full height. */
export function columns(field: Field, left: number, width: number): Field {
  const part = emptyField(width, field.height);
  for (let y = 0; y < field.height; y++) {
    part.data.set(field.data.subarray(y * field.width + left, y * field.width + left + width), y * width);
  }
  return part;
}

/** Bilinear interpolation; 0 outside the field. */
export function sampleField(field: Field, x: number, y: number): number {
  if (x < 0 || y < 0 || x > field.width - 1 || y > field.height - 1) return 0;
  const left = Math.min(Math.floor(x), field.width - 2);
  const top = Math.min(Math.floor(y), field.height - 2);
  const fx = x - left;
  const fy = y - top;
  const at = top * field.width + left;
  const above = field.data[at]! * (1 - fx) + field.data[at + 1]! * fx;
  const below = field.data[at + field.width]! * (1 - fx) + field.data[at + field.width + 1]! * fx;
  return above * (1 - fy) + below * fy;
}

export function quantile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) return 0;
  return selected(new Float64Array(values), Math.min(values.length - 1, Math.floor(share * values.length)));
}

/** The value that sorting would put at this place (Hoare's selection). Reorders the values. */
function selected(values: Float64Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[(from + to) >> 1]!;
    let [left, right] = [from, to];
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const value = values[left]!;
      values[left++] = values[right]!;
      values[right--] = value;
    }
    if (place <= right) to = right;
    else if (place >= left) from = left;
    else return values[place]!;
  }
  return values[place]!;
}

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);
