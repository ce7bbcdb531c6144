import type { RenderData } from '@tire/contracts/api';
import type { Projection } from './projection';
import type { TreadReading } from '../source/source';

/** Issued: its output must not change. */
export const PROJECTION_1_0: Projection = {
  version: '1.0',
  project: ({ treads, sidewalls }) => ({
    tread_overlays: treads.flatMap((tread) => (tread.asset ? [overlay(tread, tread.asset)] : [])),
    sidewall_specs: sidewalls.flatMap(({ slotId, asset, size }) =>
      asset ? [{ slot_id: slotId, asset, size, recognized: size !== null }] : [],
    ),
  }),
};

type Overlay = RenderData['tread_overlays'][number];

export function overlay(tread: TreadReading, asset: NonNullable<TreadReading['asset']>): Overlay {
  const rotation = finiteOrNull(tread.result?.tire_rotation ?? null);
  const side = tread.result?.vehicle_side ?? null;
  return {
    slot_id: tread.slotId,
    asset,
    tire_rotation: rotation,
    vehicle_side: side === 'unknown' ? null : side,
    remaining_depths_mm: [...tread.depthsMm],
    groove_masks: [...tread.masks],
    tread_roi: tread.result?.tread_roi ?? null,
    coordinate_system: {
      space: 'input_image_normalized',
      origin: 'top_left',
      x_range: [0, 1],
      y_range: [0, 1],
      rotation_degrees_clockwise: rotation ?? 0,
      mirror_x: mirrored(tread.position, side),
      image_orientation_normalized: false,
      mask_depth_order: 'same_index',
    },
  };
}

const finiteOrNull = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);

/**
 * Every tire is shown as on the car seen from above: the inside of a left tire lies to its right. An image taken from the other
 * direction has the inside on the tire's own side, so it is flipped. Where the side is unknown nothing is flipped.
 */
function mirrored(position: TreadReading['position'], vehicleInside: 'left' | 'right' | 'unknown' | null): boolean {
  const ownSide = position.endsWith('left') ? 'left' : 'right';
  return vehicleInside === ownSide;
}
