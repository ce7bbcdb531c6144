import type { Frame } from './frame';

/**
 * Grey levels of 255. The limits of the service for measured images, with a margin: an image of a tire has something brighter and something
 * darker than these, because rubber is black.
 */
const DARKEST_LIGHT = 62;
const BRIGHTEST_DARK = 150;

/** The grey level that this share of the pixels is below. */
export function quantileOf({ luma }: Frame, share: number): number {
  const counts = new Uint32Array(256);
  for (const grey of luma) counts[Math.min(255, Math.max(0, Math.round(grey)))]!++;
  let left = share * luma.length;
  for (let grey = 0; grey < 256; grey++) if ((left -= counts[grey]!) <= 0) return grey;
  return 255;
}

export const isTooDark = (frame: Frame): boolean => quantileOf(frame, 0.95) < DARKEST_LIGHT;
export const isTooBright = (frame: Frame): boolean => quantileOf(frame, 0.2) > BRIGHTEST_DARK;
