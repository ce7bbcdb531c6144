import type { Field } from '../domain/field';
import { emptyField } from '../domain/field';
import type { Picture } from './decode';

/** A picture seen as one luminance plane of 0..255. */
export function luminanceOf({ width, height, rgb }: Picture): Field {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 0.299 * rgb[i * 3]! + 0.587 * rgb[i * 3 + 1]! + 0.114 * rgb[i * 3 + 2]!;
  return field;
}

export function pictureOf({ width, height, data }: Field): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) rgb[i * 3] = rgb[i * 3 + 1] = rgb[i * 3 + 2] = Math.min(255, Math.max(0, Math.round(data[i]!)));
  return { width, height, rgb };
}

/** Area average. */
export function shrunk({ width, height, rgb }: Picture, toWidth: number, toHeight: number): Picture {
  const result = new Uint8Array(toWidth * toHeight * 3);
  for (let y = 0; y < toHeight; y++) {
    const top = Math.floor((y * height) / toHeight);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / toHeight));
    for (let x = 0; x < toWidth; x++) {
      const left = Math.floor((x * width) / toWidth);
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / toWidth));
      const sum = [0, 0, 0];
      for (let v = top; v < bottom; v++) {
        for (let i = (v * width + left) * 3; i < (v * width + right) * 3; i += 3) {
          sum[0]! += rgb[i]!;
          sum[1]! += rgb[i + 1]!;
          sum[2]! += rgb[i + 2]!;
        }
      }
      const count = (bottom - top) * (right - left);
      for (let c = 0; c < 3; c++) result[(y * toWidth + x) * 3 + c] = Math.round(sum[c]! / count);
    }
  }
  return { width: toWidth, height: toHeight, rgb: result };
}
