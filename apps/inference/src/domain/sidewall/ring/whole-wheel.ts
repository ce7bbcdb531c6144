import type { Field } from '../../field';
import { resized } from '../enhance';
import { CLEAR_RING, findRings } from './ring';

/** Enough for a ring, whose letters are not read. */
const SEARCH_PX = 256;

/** The image surely shows a whole wheel from its side. */
export function showsWholeWheel(luminance: Field): boolean {
  const scale = Math.min(1, SEARCH_PX / Math.max(luminance.width, luminance.height));
  const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
  return findRings(small).some(({ score }) => score >= CLEAR_RING);
}
