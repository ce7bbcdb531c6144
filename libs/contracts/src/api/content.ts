import { z } from 'zod';
import { POSITIONS } from '@tire/kernel';
import * as literal from './literals';
import { DateTime, nullableNumber, Uuid } from './primitives';
import { Asset, ContentGenerator, ContentProfile, GrooveMask, TireSize, TreadRoi } from './report';

const Severity = z.enum(literal.SEVERITIES);
const count = z.int().min(0);

export const ContentTire = z
  .object({
    slot_id: z.string(),
    tire_index: z.enum(literal.TIRE_INDEXES),
    position: z.enum(POSITIONS),
    position_label: z.string(),
    minimum_remaining_depth_mm: nullableNumber,
    severity: Severity,
    severity_label: z.string(),
    decision_label: z.string(),
    wear_pattern: z
      .object({
        code: z.enum(literal.WEAR_PATTERN_CODES),
        worn_shoulder: z
          .enum(['left', 'right'])
          .nullable()
          .describe('Side of the vehicle on which the worn shoulder lies: the outside of a left tire is left.'),
        label: z.string(),
        description: z.string(),
      })
      .nullable(),
    narrative: z.string().nullable(),
  })
  .meta({ id: 'ContentTire' });
export type ContentTire = z.infer<typeof ContentTire>;

const section = <Id extends (typeof literal.SECTION_IDS)[number], Metrics extends z.ZodRawShape>(section_id: Id, metrics: Metrics) =>
  z.object({
    section_id: z.literal(section_id),
    order: z.int(),
    title: z.string(),
    severity: Severity,
    badge_label: z.string().nullable(),
    paragraphs: z.array(z.string()),
    metrics: z.object(metrics),
  });

export const ContentSection = z
  .discriminatedUnion('section_id', [
    section('tread_wear', { minimum_remaining_depth_mm: nullableNumber, legal_limit_mm: z.number(), inspection_threshold_mm: z.number() }),
    section('braking_distance', {
      reference_speed_kmh: z.number(),
      new_tire_distance_m: z.number(),
      current_tire_distance_m: nullableNumber,
      distance_gap_m: nullableNumber,
      distance_gap_car_lengths: nullableNumber,
      speed_at_new_tire_stop_kmh: nullableNumber,
      distance_gap_percent: nullableNumber.optional().describe('Only in content generated after 2026-09-28.'),
      band: z.enum(literal.BRAKING_BANDS).nullable(),
    }),
    section('wear_pattern', { affected_tire_count: count, codes: z.array(z.enum(literal.WEAR_PATTERN_CODES)) }),
    section('position_variance', {
      front_axle_delta_mm: nullableNumber,
      rear_axle_delta_mm: nullableNumber,
      max_axle_delta_mm: nullableNumber,
    }),
    section('sidewall_spec', {
      recognized_count: count,
      front_spec: z.string().nullable(),
      rear_spec: z.string().nullable(),
      front_rear_match: z.boolean().nullable(),
    }),
  ])
  .meta({ id: 'ContentSection' });
export type ContentSection = z.infer<typeof ContentSection>;

const UnitRange = z.tuple([z.literal(0), z.literal(1)]);

export const RenderData = z
  .object({
    tread_overlays: z.array(
      z.object({
        slot_id: z.string(),
        asset: Asset,
        tire_rotation: nullableNumber,
        vehicle_side: z.enum(literal.VEHICLE_SIDES).nullable(),
        remaining_depths_mm: z.array(z.number()),
        groove_masks: z.array(GrooveMask),
        tread_roi: TreadRoi.nullable(),
        coordinate_system: z.object({
          space: z.literal('input_image_normalized'),
          origin: z.literal('top_left'),
          x_range: UnitRange,
          y_range: UnitRange,
          rotation_degrees_clockwise: z.number(),
          mirror_x: z.boolean(),
          image_orientation_normalized: z.literal(false),
          mask_depth_order: z.literal('same_index'),
        }),
      }),
    ),
    sidewall_specs: z.array(z.object({ slot_id: z.string(), asset: Asset, size: TireSize.nullable(), recognized: z.boolean() })),
  })
  .meta({ id: 'RenderData' });
export type RenderData = z.infer<typeof RenderData>;

export const Content = z
  .object({
    schema_version: z.literal(literal.CONTENT_SCHEMA_VERSION),
    report_id: Uuid,
    status: z.enum(literal.CONTENT_STATUSES),
    content_revision: Uuid.nullable(),
    content_profile: ContentProfile,
    generator: ContentGenerator,
    source: z.object({ report_schema_version: z.literal(literal.REPORT_SCHEMA_VERSION), analysis_revision: Uuid.nullable() }),
    generated_at: DateTime.nullable(),
    report_context: z.object({
      plate_number: z.string().nullable(),
      inspected_at: DateTime.nullable(),
      template_key: z.enum(literal.TEMPLATE_KEYS),
    }),
    overall: z.object({ severity: Severity, severity_label: z.string(), headline: z.string(), paragraphs: z.array(z.string()) }).nullable(),
    tires: z.array(ContentTire),
    sections: z.array(ContentSection),
    render_data: RenderData,
    error: z.object({ code: z.string() }).nullable(),
    links: z.object({ self: z.url(), canonical: z.url().nullable(), report: z.url() }),
  })
  .meta({ id: 'Content' });
export type Content = z.infer<typeof Content>;
