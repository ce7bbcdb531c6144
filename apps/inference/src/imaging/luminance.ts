import type { Field } from '../domain/field';
import { emptyField } from '../domain/field';
import type { RgbImage } from './decode';

/** The luminance of an image, 0..255. */
export function luminanceOf({ width, height, rgb }: RgbImage): Field {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 0.299 * rgb[i * 3]! + 0.587 * rgb[i * 3 + 1]! + 0.114 * rgb[i * 3 + 2]!;
  return field;
}

export function greyscaleImage({ width, height, data }: Field): RgbImage {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) rgb[i * 3] = rgb[i * 3 + 1] = rgb[i * 3 + 2] = Math.min(255, Math.max(0, Math.round(data[i]!)));
  return { width, height, rgb };
}
