import type { Projection } from './projection';
import { overlay } from './projection-1.0';

type Overlay = ReturnType<typeof overlay>;

/** A flip shows a tire as it is on its side of the car. It is not known which tire an image in two slots shows. */
const unflipped = (shown: Overlay, isShared: boolean): Overlay =>
  isShared ? { ...shown, coordinate_system: { ...shown.coordinate_system, mirror_x: false } } : shown;

/**
 * Issued: its output must not change. As 1.0, with the depths of the report instead of rounded ones, bald zones, parts that were not seen, and
 * what was read on a sidewall beside its size.
 */
export const PROJECTION_2_0: Projection = {
  version: '2.0',
  project: ({ treads, sidewalls }) => ({
    tread_overlays: treads.flatMap((tread) =>
      tread.asset
        ? [
            {
              ...unflipped(overlay(tread, tread.asset), tread.sharedWith !== null),
              remaining_depths_mm: [...tread.reportedDepthsMm],
              bald_zones: tread.result?.bald_zones ?? null,
              unseen_parts: [...tread.unseen],
            },
          ]
        : [],
    ),
    sidewall_specs: sidewalls.flatMap(({ slotId, asset, size, result, sharedWith }) =>
      asset
        ? [
            {
              slot_id: slotId,
              asset,
              size,
              recognized: size !== null,
              size_polygon_xy_norm: (size && result?.size_polygon_xy_norm) ?? null,
              load_index: result?.load_index ?? null,
              manufactured: result?.manufactured ?? null,
              brand: result?.brand ?? null,
              same_image_slot_ids: [...(sharedWith?.slotIds ?? [])],
            },
          ]
        : [],
    ),
  }),
};
