import type { View } from './measure-tread';
import { MIN_TREAD_PX, treadBox, treadPixels, type TreadMaps } from './tread-maps';

/** A tread below this share of the long side is measured again at its own scale. training/evaluate.py uses the same value. */
const FILLED = 0.8;
const MARGIN = 0.12;

/** The part of the image around the tread. Undefined where the tread fills the image, or where hardly any tread is visible. */
export function closeUpView(maps: TreadMaps): View | undefined {
  const { width, height } = maps.tread;
  const members = treadPixels(maps);
  if (members.length < MIN_TREAD_PX) return undefined;
  const { left, right, top, bottom } = treadBox(maps, members);
  const margin = MARGIN * Math.max(right - left, bottom - top);
  const from = { x: Math.max(0, left - margin), y: Math.max(0, top - margin) };
  const to = { x: Math.min(width, right + margin), y: Math.min(height, bottom + margin) };
  if (Math.max(to.x - from.x, to.y - from.y) > FILLED * Math.max(width, height)) return undefined;
  return { left: from.x / width, top: from.y / height, width: (to.x - from.x) / width, height: (to.y - from.y) / height };
}
