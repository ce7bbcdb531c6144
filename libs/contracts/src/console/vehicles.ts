import { z } from 'zod';
import { AnalysisStatus, PositionSchema, RequestedTime } from '../api/common';
import { VehicleTread } from '../api/report-list';
import { text } from '../api/text';
import { LIMITS, VEHICLE_REPORTS_MAX } from '../limits';
import { Id, Moment, MomentOrNull, NextCursor } from './fields';
import { Person, Standing } from './reports';

const Names = z.array(z.string()).describe('As they were written, those of the newest alias first.');

const NAMES = { plates: Names, external_vehicle_ids: Names, vins: Names };

export const ListedVehicle = z
  .object({
    vehicle_id: Id,
    ...NAMES,
    inspections: z.int().describe(`At most ${VEHICLE_REPORTS_MAX} are counted.`),
    last_inspected_at: MomentOrNull,
  })
  .meta({ id: 'ListedVehicle' });
export type ListedVehicle = z.infer<typeof ListedVehicle>;

export const VehicleList = z.object({ vehicles: z.array(ListedVehicle), next_cursor: NextCursor }).meta({ id: 'VehicleList' });
export type VehicleList = z.infer<typeof VehicleList>;

const Verdict = z.enum(['replaced', 'rotated', 'refused']);

const Reached = z.object({
  limit_mm: z.number(),
  earliest: Moment,
  latest: MomentOrNull.describe('Null: not within ten years.'),
});

export const TireWear = z
  .object({
    position: PositionSchema,
    inspections: z.int().describe('Those with a depth and its interval, since the tire came to its place.'),
    refused: z
      .enum(['too_few', 'no_wear'])
      .nullable()
      .describe('Why there is no estimate: fewer than two usable depths, or they do not fall.'),
    reached: z.array(Reached).describe('When the depth reaches 3.0 and 1.6 mm: where the 90 % band around the line of wear crosses them.'),
    per_10000_km: z
      .object({ mm: z.number(), low_mm: z.number(), high_mm: z.number() })
      .nullable()
      .describe('Null without two mileages, or where no wear is seen.'),
  })
  .meta({ id: 'TireWear' });
export type TireWear = z.infer<typeof TireWear>;

export const VehiclePassport = z
  .object({
    vehicle_id: Id,
    ...NAMES,
    inspections: z
      .array(
        z.object({
          report_id: Id,
          created_at: Moment,
          analysis_status: AnalysisStatus,
          standing: Standing,
          plate_number: z.string().nullable(),
          mileage_km: z.int().nullable(),
          depths_mm: z.partialRecord(PositionSchema, z.number()),
          treads: z.partialRecord(PositionSchema, VehicleTread),
          made: z
            .partialRecord(PositionSchema, z.object({ week: z.int(), year: z.int() }))
            .describe('When the tire was made, where its DOT code was read.'),
        }),
      )
      .describe(`Oldest first; the newest ${VEHICLE_REPORTS_MAX}.`),
    wear: z.array(TireWear).describe('One for each position.'),
    proposals: z
      .array(
        z.object({
          report_id: Id,
          position: PositionSchema,
          kind: z.enum(['replaced', 'rotated']),
          with_position: PositionSchema.nullable().describe('Where the tire may have been before.'),
        }),
      )
      .describe('Depths that rose beyond their intervals, of which nobody has said why.'),
    judgements: z.array(z.object({ report_id: Id, position: PositionSchema, verdict: Verdict, with_position: PositionSchema.nullable() })),
    changes: z
      .array(
        z.object({
          change_id: Id,
          kind: z.enum(['merged', 'split']),
          other_vehicle_id: Id,
          other_name: z.string().describe('A plate, an own id or a VIN of the other vehicle; empty where it has none.'),
          plate_number: z.string().nullable().describe('Of a split.'),
          from: MomentOrNull.describe('Of a split: since when the plate belongs to the other vehicle.'),
          at: Moment,
          undone_at: MomentOrNull,
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'VehiclePassport' });
export type VehiclePassport = z.infer<typeof VehiclePassport>;

export const MergeVehiclesRequest = z
  .object({ merged_vehicle_id: Id.describe('Its reports are of this vehicle too, until the change is undone.') })
  .meta({ id: 'MergeVehiclesRequest' });
export type MergeVehiclesRequest = z.infer<typeof MergeVehiclesRequest>;

export const SplitVehicleRequest = z
  .object({
    plate_number: text(LIMITS.plateNumber, 1).describe('A plate of the vehicle, which has another owner since then.'),
    from: RequestedTime.describe('Since when.'),
  })
  .meta({ id: 'SplitVehicleRequest' });
export type SplitVehicleRequest = z.infer<typeof SplitVehicleRequest>;

export const JudgeTireRequest = z
  .object({
    report_id: Id,
    position: PositionSchema,
    verdict: Verdict.nullable().describe('Null: what was said before is withdrawn.'),
    with_position: PositionSchema.nullish().describe('Of a rotation: where the tire was before.'),
  })
  .meta({ id: 'JudgeTireRequest' });
export type JudgeTireRequest = z.infer<typeof JudgeTireRequest>;

export const CreateVehicleLinkRequest = z
  .object({ shows_plate: z.boolean().default(false).describe('The page shows the whole plate. Otherwise a part of it is masked.') })
  .meta({ id: 'CreateVehicleLinkRequest' });
export type CreateVehicleLinkRequest = z.infer<typeof CreateVehicleLinkRequest>;

export const VehicleLink = z
  .object({
    link_id: Id,
    status: z.enum(['active', 'revoked', 'expired']),
    shows_plate: z.boolean(),
    created_at: Moment,
    created_by: Person.nullable(),
    expires_at: Moment,
    revoked_at: MomentOrNull,
  })
  .meta({ id: 'VehicleLink' });
export type VehicleLink = z.infer<typeof VehicleLink>;

export const VehicleLinkList = z.object({ links: z.array(VehicleLink).describe('50 at most.') }).meta({ id: 'VehicleLinkList' });
export type VehicleLinkList = z.infer<typeof VehicleLinkList>;

export const CreatedVehicleLink = VehicleLink.extend({
  url: z.string().describe('The address of the page. With .pdf at its end: the page as a PDF.'),
}).meta({ id: 'CreatedVehicleLink' });
export type CreatedVehicleLink = z.infer<typeof CreatedVehicleLink>;
