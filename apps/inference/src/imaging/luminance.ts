import type { Field } from '../domain/field';
import { emptyField } from '../domain/field';
import type { RgbImage } from './decode';

/** The luminance of an image, 0..255. */
export function luminanceOf({ width, height, rgb }: RgbImage): Field {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 0.299 * rgb[i * 3]! + 0.587 * rgb[i * 3 + 1]! + 0.114 * rgb[i * 3 + 2]!;
  return field;
}

/** A field of 0..255 in whole levels. */
export function levelsOf({ data }: Field): Uint8Array {
  const levels = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = data[i]! + 0.5;
    levels[i] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  return levels;
}

export function greyscaleImage(field: Field): RgbImage {
  const { width, height } = field;
  const rgb = new Uint8Array(width * height * 3);
  levelsOf(field).forEach((level, i) => rgb.fill(level, 3 * i, 3 * i + 3));
  return { width, height, rgb };
}
