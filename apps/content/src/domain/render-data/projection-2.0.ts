import type { Projection } from './projection';
import { overlay } from './projection-1.0';

/**
 * Issued: its output must not change. As 1.0, with the depths of the report instead of rounded ones, bald zones, and what was read on a
 * sidewall beside its size.
 */
export const PROJECTION_2_0: Projection = {
  version: '2.0',
  project: ({ treads, sidewalls }) => ({
    tread_overlays: treads.flatMap((tread) =>
      tread.asset
        ? [
            {
              ...overlay(tread, tread.asset),
              remaining_depths_mm: [...tread.reportedDepthsMm],
              bald_zones: tread.result?.bald_zones ?? null,
            },
          ]
        : [],
    ),
    sidewall_specs: sidewalls.flatMap(({ slotId, asset, size, result }) =>
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
            },
          ]
        : [],
    ),
  }),
};
