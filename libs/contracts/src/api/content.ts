import { z } from 'zod';
import { BALD_PLACES, DepthInterval, UnseenPart } from './analysis';
import { ContentGenerator, ContentProfile, DateTime, PositionSchema, SlotIdSchema, TemplateKeySchema, Uri, Uuid } from './common';
import { RenderData } from './render-data';

export const Severity = z.enum(['good', 'caution', 'critical', 'unknown']).meta({ id: 'Severity' });

export const WearPatternCode = z
  .enum([
    'even_wear',
    'center_wear_overinflation_candidate',
    'both_shoulder_wear_underinflation_candidate',
    'one_shoulder_wear_alignment_candidate',
    'mixed_or_uncertain',
  ])
  .meta({ id: 'WearPatternCode' });

export const DEPTH_CERTAINTIES = ['sure', 'likely', 'near_limit'] as const;

export const ContentTire = z
  .object({
    slot_id: SlotIdSchema.meta({ description: 'The matching tread slot.' }),
    tire_index: z.enum(['T1', 'T2', 'T3', 'T4']).meta({ description: 'T1 front left, T2 front right, T3 rear left, T4 rear right.' }),
    position: PositionSchema,
    position_label: z.string(),
    minimum_remaining_depth_mm: z.number().nullable().meta({ description: 'Lowest groove depth of the tire.' }),
    severity: Severity,
    severity_label: z.string(),
    decision_label: z.string(),
    wear_pattern: z
      .object({
        code: WearPatternCode,
        worn_shoulder: z
          .enum(['left', 'right'])
          .nullable()
          .meta({
            description:
              'For one-shoulder wear the worn shoulder as left or right of the vehicle, seen in driving direction; otherwise null, ' +
              'and null where the engine could not tell the inside of the car (vehicle_side unknown). ' +
              'The outside of a left tire is left, the outside of a right tire is right: left on a left tire means its outer shoulder.',
          }),
        label: z.string(),
        description: z.string(),
      })
      .nullable()
      .meta({ description: 'Null for manual reports.' }),
    narrative: z.string().nullable(),
    // The fields below exist only in content of ruleset 2.0 and later.
    depth_interval_mm: DepthInterval.nullable().optional().meta({ description: '90 % interval of the lowest depth of the tire.' }),
    certainty: z
      .enum(DEPTH_CERTAINTIES)
      .nullable()
      .optional()
      .meta({
        description:
          'sure: the interval is on one side of the limits, apart from the small share that a good tire may have below the inspection ' +
          'threshold. likely: the depth is at the legal limit or below it, and the interval reaches above it. near_limit: the interval ' +
          'reaches a limit. Null without an interval, and where a bald zone or a part of the tread that was not seen decides.',
      }),
    bald: z
      .object({ worn_smooth: z.boolean(), share_of_width: z.number(), places: z.array(z.enum(BALD_PLACES)) })
      .nullable()
      .optional()
      .meta({ description: 'Zones of the tread that have lost their pattern; null where there are none or they were not measured.' }),
    unseen_parts: z.array(UnseenPart).optional().meta({
      description: 'Empty where the whole tread was seen, or where the engine does not judge that. A tire with such a part is never good.',
    }),
    remaining_distance_km: z
      .tuple([z.number(), z.number()])
      .nullable()
      .optional()
      .meta({
        description:
          '[low, high] for the interval of the lowest depth, down to 1.6 mm at 1.2 mm of wear in 10,000 km, rounded outwards to two digits and from ' +
          '10,000 km on to 1,000 km. A low of 0 means: at most high. Null without an interval, and for tires that are critical, worn unevenly, too ' +
          'uncertain to judge, not seen as a whole, or ten years old.',
      }),
    age_advice: z
      .enum(['check', 'replace'])
      .nullable()
      .optional()
      .meta({
        description:
          'By the date code: check from 72 months on, replace (ask about a replacement) from 120 months on. Null for younger tires, and ' +
          'where the date code was not read.',
      }),
    same_image_slot_ids: z
      .array(SlotIdSchema)
      .optional()
      .meta({ description: 'Slots of other positions that rest on the same photograph, or on a near copy. Such a tire is never good.' }),
  })
  .meta({ id: 'ContentTire' });
export type ContentTire = z.infer<typeof ContentTire>;

const Millimetres = z.number().nullable();

const section = <Id extends string, Metrics extends z.ZodRawShape>(id: Id, metrics: Metrics) =>
  z.object({
    section_id: z.literal(id),
    order: z.int().meta({ description: 'Ascending render order. Sort by it, not by the position in the array.' }),
    title: z.string(),
    severity: Severity,
    badge_label: z.string().nullable(),
    paragraphs: z.array(z.string()),
    metrics: z.object(metrics),
  });

export const ContentSection = z
  .discriminatedUnion('section_id', [
    section('tread_wear', {
      minimum_remaining_depth_mm: Millimetres,
      legal_limit_mm: z.number(),
      inspection_threshold_mm: z.number(),
    }),
    section('braking_distance', {
      reference_speed_kmh: z.number(),
      new_tire_distance_m: z.number().nullable(),
      current_tire_distance_m: z.number().nullable(),
      distance_gap_m: z.number().nullable(),
      distance_gap_car_lengths: z.number().nullable(),
      speed_at_new_tire_stop_kmh: z.number().nullable(),
      distance_gap_percent: z
        .number()
        .nullable()
        .optional()
        .meta({ description: 'Increase over a new tire in percent; only in content generated after 2026-09-28.' }),
      band: z
        .enum(['short', 'moderate', 'long'])
        .nullable()
        .meta({ description: 'short under 10 %, moderate under 30 %, long from 30 %.' }),
      current_tire_distance_range_m: z
        .tuple([z.number(), z.number()])
        .nullable()
        .optional()
        .meta({ description: '[low, high] for the interval of the lowest depth. Only in content of ruleset 2.0 and later.' }),
      farthest_band: z
        .enum(['short', 'moderate', 'long'])
        .nullable()
        .optional()
        .meta({ description: 'The band at the far end of the range. Only in content of ruleset 2.0 and later.' }),
      distance_is_at_least: z
        .boolean()
        .optional()
        .meta({
          description:
            'Whether the depth, or the low end of its interval, lies below 1.0 mm, where no distance is known: the far end is "or more". Only in ' +
            'content of ruleset 2.0 and later.',
        }),
    }),
    section('wear_pattern', { affected_tire_count: z.int(), codes: z.array(WearPatternCode) }),
    section('position_variance', {
      front_axle_delta_mm: Millimetres,
      rear_axle_delta_mm: Millimetres,
      max_axle_delta_mm: Millimetres,
    }),
    section('sidewall_spec', {
      recognized_count: z.int(),
      front_spec: z
        .string()
        .nullable()
        .meta({ examples: ['225/45R17'] }),
      rear_spec: z.string().nullable(),
      front_rear_match: z
        .boolean()
        .nullable()
        .meta({ description: 'From ruleset 2.0 on null unless both tires of each axle were read and are alike.' }),
      mixed_axles: z
        .array(z.enum(['front', 'rear']))
        .optional()
        .meta({ description: 'Axles whose two tires have different sizes. Only in content of ruleset 2.0 and later.' }),
      diameter_difference_percent: z.number().nullable().optional().meta({
        description:
          'Of the larger overall diameter to the smaller, front to rear; null where an axle has no size or two. Only in content of ruleset 2.0 and later.',
      }),
    }),
  ])
  .meta({ id: 'ContentSection' });
export type ContentSection = z.infer<typeof ContentSection>;

const ContentBody = z.object({
  schema_version: z.literal('report-content.v1'),
  report_id: Uuid,
  status: z.enum(['pending', 'ready', 'failed']),
  content_revision: Uuid.nullable(),
  content_profile: ContentProfile,
  generator: ContentGenerator,
  source: z.object({ report_schema_version: z.literal('report.v1'), analysis_revision: Uuid.nullable() }),
  generated_at: DateTime.nullable(),
  report_context: z.object({
    plate_number: z.string().nullable(),
    inspected_at: DateTime.nullable(),
    template_key: TemplateKeySchema,
  }),
  overall: z.object({ severity: Severity, severity_label: z.string(), headline: z.string(), paragraphs: z.array(z.string()) }).nullable(),
  tires: z.array(ContentTire),
  sections: z.array(ContentSection),
  render_data: RenderData,
  error: z
    .object({ code: z.string().meta({ examples: ['content_source_incomplete'] }), retryable: z.boolean() })
    .nullable()
    .meta({ description: 'Why there is no content; only when failed.' }),
  links: z.object({ self: Uri, canonical: Uri.nullable(), report: Uri }),
});

export const Content = ContentBody.refine(fitsItsStatus, 'has parts that its status excludes, or lacks one that it needs').meta({
  id: 'Content',
  description:
    'report-content.v1: display content. While pending or failed, content_revision, generated_at, overall and links.canonical are null and the arrays are empty.',
});
export type Content = z.infer<typeof Content>;

function fitsItsStatus(content: z.infer<typeof ContentBody>): boolean {
  const issued = [content.content_revision, content.generated_at, content.overall, content.links.canonical];
  if (content.status === 'ready') return !issued.includes(null) && content.error === null;
  const { tread_overlays, sidewall_specs } = content.render_data;
  const empty = [content.tires, content.sections, tread_overlays, sidewall_specs].every((list) => list.length === 0);
  return issued.every((value) => value === null) && empty && (content.status === 'failed') === (content.error !== null);
}
