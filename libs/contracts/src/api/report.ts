import { z } from 'zod';
import { IMAGE_TYPES, POSITIONS } from '@tire/kernel';
import * as literal from './literals';
import { DateTime, ModuleType, nullableNumber, Slot, Uuid } from './primitives';

export const Template = z
  .object({
    key: z.enum(literal.TEMPLATE_KEYS),
    version: z.string(),
    requirements: z.array(
      z.object({
        module_type: ModuleType,
        image_type: z.enum(IMAGE_TYPES),
        allowed_positions: z.array(z.enum(POSITIONS)),
        minimum_success_count: z.int().min(0),
      }),
    ),
  })
  .meta({ id: 'Template' });
export type Template = z.infer<typeof Template>;

export const Asset = z
  .object({
    asset_id: Uuid.describe('Opaque id issued by the service. Never build a URL from it.'),
    source: z.object({
      kind: z.enum([literal.ASSET_SOURCE_PARTNER_URL, literal.ASSET_SOURCE_UPLOAD]),
      url: z.string().nullable().describe('The submitted string unchanged; null for uploads.'),
      client_asset_id: z.string().nullable(),
    }),
  })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof Asset>;

export const GrooveMask = z
  .object({
    depth_mm: nullableNumber,
    score: nullableNumber,
    polygon_xy_norm: z
      .array(z.tuple([z.number(), z.number()]))
      .describe('Normalized 0..1 coordinates in the unrotated input image, origin top left.'),
  })
  .meta({ id: 'GrooveMask' });
export type GrooveMask = z.infer<typeof GrooveMask>;

export const TreadRoi = z
  .object({ bbox_xyxy_norm: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable() })
  .meta({ id: 'TreadRoi' });
export type TreadRoi = z.infer<typeof TreadRoi>;

export const TreadResult = z
  .object({
    aggregated_depth: z
      .object({
        aggregated_remaining_depth: nullableNumber.describe('Millimetres.'),
        estimated_lifetime: nullableNumber.describe(
          'Remaining kilometres at 1.2 mm of wear per 10,000 km down to the legal limit of 1.6 mm.',
        ),
      })
      .nullable(),
    individual_depths: z.object({
      individual_remaining_depth: z.array(z.number()).describe('Millimetres per groove, from the vehicle outside to the inside.'),
    }),
    tire_rotation: nullableNumber.describe('Clockwise angle by which the input image is turned for display.'),
    vehicle_side: z.enum(literal.VEHICLE_SIDES).nullable(),
    groove_masks: z.array(GrooveMask),
    tread_roi: TreadRoi,
  })
  .meta({ id: 'TreadResult' });
export type TreadResult = z.infer<typeof TreadResult>;

export const TireSize = z
  .object({
    section_width: z.int().nullable().describe('Millimetres.'),
    aspect_ratio: z.int().nullable().describe('Percent.'),
    rim_diameter: z.int().nullable().describe('Inches.'),
  })
  .meta({ id: 'TireSize' });
export type TireSize = z.infer<typeof TireSize>;

export const SidewallResult = z
  .object({ size: TireSize.nullable().describe('Present only when all three integers were recognized.') })
  .meta({ id: 'SidewallResult' });
export type SidewallResult = z.infer<typeof SidewallResult>;

export const Engine = z
  .object({
    api: z.literal(literal.ENGINE_API),
    api_version: z.string(),
    operation: z.enum(literal.ENGINE_OPERATIONS),
    result_schema_version: z.enum(literal.RESULT_SCHEMA_VERSIONS),
    requested_functions: z.array(z.enum([...literal.TREAD_FUNCTIONS, ...literal.SIDEWALL_FUNCTIONS])),
  })
  .meta({ id: 'Engine' });

export const Analysis = z
  .object({
    status: z.enum(literal.SLOT_STATUSES),
    provenance: z.enum(literal.PROVENANCES).nullable(),
    engine: Engine.nullable(),
    result: z.union([TreadResult, SidewallResult]).nullable(),
    quality: z.object({ recognized: z.boolean(), confidence: nullableNumber }).nullable(),
    error: z.object({ code: z.string(), retryable: z.boolean() }).nullable(),
    completed_at: DateTime.nullable(),
  })
  .meta({ id: 'Analysis' });
export type Analysis = z.infer<typeof Analysis>;

export const ReportSlot = z
  .object({
    slot_id: z.string(),
    module_type: ModuleType,
    slot: Slot,
    status: z.enum(literal.SLOT_STATUSES),
    asset: Asset.nullable(),
    analysis: Analysis,
  })
  .meta({ id: 'ReportSlot' });
export type ReportSlot = z.infer<typeof ReportSlot>;

export const Creation = z
  .object({ source_channel: z.enum(literal.SOURCE_CHANNELS), mode: z.enum(literal.CREATION_MODES) })
  .meta({ id: 'Creation' });

export const Report = z
  .object({
    schema_version: z.literal(literal.REPORT_SCHEMA_VERSION),
    report_id: Uuid,
    analysis_status: z.enum(literal.ANALYSIS_STATUSES),
    publication_status: z.enum(literal.PUBLICATION_STATUSES),
    summary_status: z.enum(literal.SUMMARY_STATUSES),
    vehicle: z.object({ plate_number: z.string().nullable() }),
    client_context: z.object({
      external_inspection_id: z.string().nullable(),
      external_vehicle_id: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()),
    }),
    creation: Creation,
    template: Template,
    analysis_revision: Uuid.nullable(),
    slots: z.array(ReportSlot),
    links: z.object({ self: z.url(), content: z.url(), share: z.url().nullable() }),
    timestamps: z.object({
      created_at: DateTime,
      analysis_completed_at: DateTime.nullable(),
      published_at: DateTime.nullable(),
      updated_at: DateTime,
    }),
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof Report>;

export const ContentProfile = z.object({ key: z.string(), version: z.string(), locale: z.string() }).meta({ id: 'ContentProfile' });
export type ContentProfile = z.infer<typeof ContentProfile>;

export const ContentGenerator = z
  .object({ ruleset_version: z.string(), copy_version: z.string(), projection_version: z.string() })
  .meta({ id: 'ContentGenerator' });
export type ContentGenerator = z.infer<typeof ContentGenerator>;

/** Internal: what the ledger freezes when an analysis ends, and all that content is made from. */
export const AnalysisRevisionSnapshot = z.object({
  report_id: Uuid,
  analysis_revision: Uuid,
  analysis_status: z.enum(['complete', 'partial', 'failed']),
  completed_at: DateTime,
  created_at: DateTime,
  creation: Creation,
  vehicle: z.object({ plate_number: z.string().nullable() }),
  template: Template,
  content_profile: ContentProfile,
  generator: ContentGenerator,
  slots: z.array(ReportSlot),
});
export type AnalysisRevisionSnapshot = z.infer<typeof AnalysisRevisionSnapshot>;
