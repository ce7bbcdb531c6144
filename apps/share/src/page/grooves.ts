import type { RenderData } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel';
import type { Words } from './words';

export type Overlay = RenderData['tread_overlays'][number];

/** A groove in the list under an image. */
export interface ListedDepth {
  readonly text: string;
  readonly interval: string | null;
}

/** The digits of each groove. The mark on the image and the list under it both use them. Null for a groove without a depth. */
export const depthDigits = ({ remaining_depths_mm: depths, groove_masks: masks }: Overlay): (string | null)[] =>
  Array.from({ length: Math.max(depths.length, masks.length) }, (_, index) => depths[index] ?? masks[index]?.depth_mm ?? null).map(
    (depthMm) => (depthMm === null ? null : formatDepth(depthMm)),
  );

export function listedDepths(words: Words, overlay: Overlay): ListedDepth[] {
  return depthDigits(overlay).flatMap((text, index) => {
    if (text === null) return [];
    const interval = overlay.groove_masks[index]?.depth_interval_mm;
    return { text, interval: interval ? `(${words.range(formatDepth(interval[0]), formatDepth(interval[1]))})` : null };
  });
}

const isSideKnown = ({ vehicle_side }: Overlay): boolean => vehicle_side === 'left' || vehicle_side === 'right';

/** Outside and inside exist only where the side is known. */
export const sided = (words: Words, overlay: Overlay): Words['sideKnown'] => words[isSideKnown(overlay) ? 'sideKnown' : 'sideUnknown'];

/** What is said about the zones without pattern. Null where there are none. */
export function baldText(words: Words, overlay: Overlay): string | null {
  const bald = overlay.bald_zones;
  if (!bald) return null;
  if (bald.worn_smooth) return words.wornSmooth;
  if (bald.zones.length === 0) return null;
  const { baldPlaces } = sided(words, overlay);
  const places = [...new Set(bald.zones.map(({ place }) => baldPlaces[place]))];
  return words.baldZone(places, Math.round(bald.share_of_width * 100));
}

/** Whole degrees clockwise, below 360. */
export const degreesOf = ({ coordinate_system }: Overlay): number =>
  ((Math.round(coordinate_system.rotation_degrees_clockwise) % 360) + 360) % 360;
