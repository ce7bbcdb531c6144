import type { ContentTire, RenderData } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel';
import type { Sided, Words } from '../words/words';

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

export function listedDepths(words: Words, overlay: Overlay, tires: readonly ContentTire[]): ListedDepth[] {
  const depths = depthDigits(overlay).flatMap((text, index): ListedDepth[] => {
    if (text === null) return [];
    const interval = overlay.groove_masks[index]?.depth_interval_mm;
    return [
      {
        text,
        interval: interval && interval[0] < interval[1] ? `(${words.range(formatDepth(interval[0]), formatDepth(interval[1]))})` : null,
      },
    ];
  });
  return listingOf(words, overlay, tires).isReversed ? depths.toReversed() : depths;
}

/** Whether the image of a tire is in the slot of another one too. Then it is not known which of them it shows. */
export const isTireUnknown = ({ same_image_slot_ids: others = [] }: Pick<ContentTire, 'same_image_slot_ids'>): boolean => others.length > 0;

const isSideKnown = ({ vehicle_side }: Overlay): boolean => vehicle_side === 'left' || vehicle_side === 'right';

type Listing = Sided & {
  /** Grooves are in the order from the outside to the inside, and the image shows the outside on the right. */
  readonly isReversed: boolean;
};

/** Outside and inside exist only where the side is known, and left or right as shown where it is not known which tire the image shows. */
export function listingOf(words: Words, overlay: Overlay, tires: readonly ContentTire[]): Listing {
  if (!isSideKnown(overlay)) return { ...words.sideUnknown, isReversed: false };
  const tire = tires.find(({ slot_id }) => slot_id === overlay.slot_id);
  if (!tire || !isTireUnknown(tire)) return { ...words.sideKnown, isReversed: false };
  const isInsideOnLeft = (overlay.vehicle_side === 'left') !== overlay.coordinate_system.mirror_x;
  if (!isInsideOnLeft) return { ...words.sideUnknown, isReversed: false };
  const { first_shoulder, last_shoulder } = words.sideUnknown.baldPlaces;
  const baldPlaces = { ...words.sideUnknown.baldPlaces, first_shoulder: last_shoulder, last_shoulder: first_shoulder };
  return { ...words.sideUnknown, baldPlaces, isReversed: true };
}

/** The text about the zones without pattern. Null where there are none. */
export function baldText(words: Words, overlay: Overlay, tires: readonly ContentTire[]): string | null {
  const bald = overlay.bald_zones;
  if (!bald) return null;
  if (bald.worn_smooth) return words.wornSmooth;
  if (bald.zones.length === 0) return null;
  const { baldPlaces } = listingOf(words, overlay, tires);
  const places = [...new Set(bald.zones.map(({ place }) => baldPlaces[place]))];
  return words.baldZone(places, Math.round(bald.share_of_width * 100));
}

/** The texts about the parts of the tread that were not seen, one for each reason. */
export function unseenTexts(words: Words, overlay: Overlay, tires: readonly ContentTire[]): string[] {
  const { baldPlaces } = listingOf(words, overlay, tires);
  const placesOf = (wanted: string) =>
    (overlay.unseen_parts ?? []).flatMap(({ place, reason }) => (reason === wanted ? [baldPlaces[place]] : []));
  const [outside, unclear] = [placesOf('outside_image'), placesOf('groove_unclear')];
  return [...(outside.length > 0 ? [words.outsideImage(outside)] : []), ...(unclear.length > 0 ? [words.grooveUnclear(unclear)] : [])];
}

/** Whole degrees clockwise, below 360. */
export const degreesOf = ({ coordinate_system }: Overlay): number =>
  ((Math.round(coordinate_system.rotation_degrees_clockwise) % 360) + 360) % 360;
