import { quantile, type Field } from '../../field';

/** The strongest gradients of a field. */
export interface Edges {
  /** Unit vectors, perpendicular to the edges; valid at strong edges only. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Pixel indices. */
  readonly strong: readonly number[];
}

export function edgesOf({ width, height, data }: Field): Edges {
  const gx = new Float32Array(width * height);
  const gy = new Float32Array(width * height);
  const magnitudes = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      gx[at] =
        data[at + 1]! - data[at - 1]! + (data[at + 1 - width]! - data[at - 1 - width]! + data[at + 1 + width]! - data[at - 1 + width]!) / 2;
      gy[at] =
        data[at + width]! -
        data[at - width]! +
        (data[at + width - 1]! - data[at - width - 1]! + data[at + width + 1]! - data[at - width + 1]!) / 2;
      magnitudes[at] = Math.sqrt(gx[at]! * gx[at]! + gy[at]! * gy[at]!);
    }
  }
  const threshold = Math.max(
    16,
    quantile(
      magnitudes.filter((_, at) => ((at % width) + Math.floor(at / width)) % 5 === 0),
      0.85,
    ),
  );
  const strong: number[] = [];
  magnitudes.forEach((magnitude, at) => {
    if (magnitude < threshold) return;
    gx[at]! /= magnitude;
    gy[at]! /= magnitude;
    strong.push(at);
  });
  return { x: gx, y: gy, strong };
}
