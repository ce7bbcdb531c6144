import { z } from 'zod';
import { BaldZones, GrooveMask, Manufactured, PolygonXyNorm, TireSize, TreadRoi, UnseenPart, VehicleSide } from './analysis';
import { Asset, SlotIdSchema } from './common';

const UnitRange = z.tuple([z.literal(0), z.literal(1)]);

export const RenderData = z
  .object({
    tread_overlays: z
      .array(
        z.object({
          slot_id: SlotIdSchema,
          asset: Asset,
          tire_rotation: z.number().nullable(),
          vehicle_side: VehicleSide,
          remaining_depths_mm: z.array(z.number()).meta({ description: 'Same index order as groove_masks.' }),
          groove_masks: z.array(GrooveMask),
          tread_roi: TreadRoi.nullable(),
          bald_zones: BaldZones.nullable().optional().meta({ description: 'Only in projection 2.0 and later.' }),
          unseen_parts: z.array(UnseenPart).optional().meta({ description: 'Only in projection 2.0 and later.' }),
          coordinate_system: z.object({
            space: z.literal('input_image_normalized'),
            origin: z.literal('top_left'),
            x_range: UnitRange,
            y_range: UnitRange,
            rotation_degrees_clockwise: z.number().meta({ description: 'Applied before display.' }),
            mirror_x: z.boolean().meta({ description: 'Whether a horizontal flip follows the rotation, in the rotated frame.' }),
            image_orientation_normalized: z.boolean().meta({ description: 'Currently always false: original coordinates.' }),
            mask_depth_order: z.literal('same_index'),
          }),
        }),
      )
      .meta({ description: 'One per tread slot with a registered asset.' }),
    sidewall_specs: z
      .array(
        z.object({
          slot_id: SlotIdSchema,
          asset: Asset,
          size: TireSize.nullable(),
          recognized: z.boolean(),
          // The fields below exist only in projection 2.0 and later.
          size_polygon_xy_norm: PolygonXyNorm.nullable().optional(),
          load_index: z.int().nullable().optional(),
          manufactured: Manufactured.nullable().optional(),
          brand: z.string().nullable().optional(),
          same_image_slot_ids: z.array(SlotIdSchema).optional().meta({
            description: 'Slots of other positions with the same photograph, or with a near copy. Such a size counts for no tire.',
          }),
        }),
      )
      .meta({ description: 'One per sidewall slot with a registered asset; empty for tire_4t_0s.' }),
  })
  .meta({ id: 'RenderData' });
export type RenderData = z.infer<typeof RenderData>;
