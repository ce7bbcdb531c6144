import { ANALYSIS_ERRORS, ENGINE_API, RETAKE_REASONS, type AnalysisErrorCode } from '@tire/kernel';
import { z } from 'zod';
import { DateTime } from './common';

export const Normalized = z.number().min(0).max(1);

/** 90 % interval of a depth in millimetres. */
export const DepthInterval = z.tuple([z.number().min(0), z.number().min(0)]).meta({
  id: 'DepthInterval',
  description: '[low, high] in millimetres. The true depth lies between them in 9 of 10 cases.',
});
export type DepthInterval = z.infer<typeof DepthInterval>;

export const BALD_PLACES = ['whole', 'first_shoulder', 'center', 'last_shoulder'] as const;

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isPoint = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && isShare(value[0]) && isShare(value[1]);
const described = z.toJSONSchema(z.array(z.tuple([Normalized, Normalized])));

/** A report has more than a thousand points. One function checks them: as tuples they took a quarter of the time of a document of content. */
export const PolygonXyNorm = z
  .custom<[number, number][]>((value) => Array.isArray(value) && value.every(isPoint), 'must be a list of points from 0 to 1')
  .register(z.globalRegistry, { type: described.type, items: described.items });

export const BaldZone = z
  .object({
    place: z.enum(BALD_PLACES).meta({ description: 'first_shoulder is at the edge where the order of the grooves begins.' }),
    from_share: Normalized.meta({ description: 'Share of the visible width, from the edge where the order of the grooves begins.' }),
    to_share: Normalized,
    polygon_xy_norm: PolygonXyNorm.meta({ description: 'Coordinates 0..1 in the unrotated input image, origin top left.' }),
  })
  .meta({ id: 'BaldZone' });

export const BaldZones = z
  .object({
    share_of_width: Normalized.meta({ description: 'Share of the visible width of the tread that has lost its pattern.' }),
    worn_smooth: z.boolean().meta({ description: 'The image surely shows a tread, and no groove was found in it.' }),
    zones: z.array(BaldZone).meta({ description: 'Ordered like the grooves.' }),
  })
  .meta({ id: 'BaldZones' });
export type BaldZones = z.infer<typeof BaldZones>;

export const UnseenPart = z
  .object({ place: z.enum(['first_shoulder', 'center', 'last_shoulder']), reason: z.enum(['outside_image', 'groove_unclear']) })
  .meta({
    id: 'UnseenPart',
    description:
      'A part of the width of the tread of which it is not known whether a groove is there, or how deep it is. outside_image: this edge of the ' +
      'tread lies outside of the image. groove_unclear: no groove was found in a part that is wide enough for one, or it shows a line that is ' +
      'too unclear to be measured.',
  });
export type UnseenPart = z.infer<typeof UnseenPart>;

export const VehicleSide = z
  .enum(['left', 'right', 'unknown'])
  .nullable()
  .meta({ description: 'Side of the image on which the inside of the vehicle lies in an upright photo.' });

export const GrooveMask = z
  .object({
    depth_mm: z.number().nullable().meta({ description: 'Depth of the groove at the same index.' }),
    score: z.number().nullable().meta({ description: 'Mask confidence.' }),
    polygon_xy_norm: PolygonXyNorm.meta({ description: 'Coordinates 0..1 in the unrotated input image, origin top left.' }),
    depth_interval_mm: DepthInterval.nullable().optional(),
  })
  .meta({ id: 'GrooveMask' });

export const TreadRoi = z
  .object({ bbox_xyxy_norm: z.tuple([Normalized, Normalized, Normalized, Normalized]).nullable() })
  .meta({ id: 'TreadRoi', description: 'Normalized tread region [x1, y1, x2, y2] in the input image.' });

export const TreadResult = z
  .object({
    aggregated_depth: z
      .object({
        aggregated_remaining_depth: z.number().nullable().meta({ description: 'Millimetres.' }),
        estimated_lifetime: z.number().nullable().meta({
          description:
            'Remaining kilometres down to 1.6 mm at about 1.2 mm of wear in 10,000 km, an estimate of the engine; null without a depth.',
        }),
        depth_interval_mm: DepthInterval.nullable().optional(),
      })
      .nullable(),
    individual_depths: z.object({
      individual_remaining_depth: z.array(z.number()).meta({
        description:
          'Millimetres per groove, ordered from the outside of the vehicle to the inside; the same index as groove_masks where masks exist. Do not assume the length.',
      }),
      depth_intervals_mm: z
        .array(DepthInterval)
        .optional()
        .meta({ description: 'Same index as the depths. Only where the engine measured intervals.' }),
    }),
    tire_rotation: z.number().nullable().meta({ description: 'Degrees clockwise by which the input image is turned for display.' }),
    vehicle_side: VehicleSide,
    groove_masks: z.array(GrooveMask).meta({ description: 'Per groove, ordered outside to inside.' }),
    tread_roi: TreadRoi,
    bald_zones: BaldZones.optional().meta({ description: 'Only where the engine measures bald zones.' }),
    unseen_parts: z.array(UnseenPart).optional().meta({
      description: 'Only where the engine judges which part of the tread it has seen. The lowest groove of the tire may be there.',
    }),
  })
  .meta({ id: 'TreadResult' });
export type TreadResult = z.infer<typeof TreadResult>;

export const TireSize = z
  .object({
    section_width: z.int().nullable().meta({ description: 'Millimetres.' }),
    aspect_ratio: z.int().nullable().meta({ description: 'Percent.' }),
    rim_diameter: z.int().nullable().meta({ description: 'Inches.' }),
  })
  .meta({ id: 'TireSize' });

export const Manufactured = z.object({
  week: z.int(),
  year: z.int(),
  age_months: z.int().meta({ description: 'Whole months between then and the analysis.' }),
});

export const SidewallResult = z
  .object({
    size: TireSize.nullable().meta({ description: 'Present only when all three integers were recognized.' }),
    size_polygon_xy_norm: PolygonXyNorm.optional().meta({
      description: 'Only with a size: round the line in which it stands, 0..1 in the unrotated input image, origin top left.',
    }),
    load_index: z.int().optional().meta({ description: 'Only where it was read behind the size.' }),
    manufactured: Manufactured.optional().meta({ description: 'Only where the DOT code was read.' }),
    brand: z
      .string()
      .optional()
      .meta({ description: 'Only where it was read with high confidence.', examples: ['Hankook'] }),
  })
  .meta({ id: 'SidewallResult' });
export type SidewallResult = z.infer<typeof SidewallResult>;

export const GaugeValue = z
  .object({
    groove: z.int().min(1).meta({ description: '1 is the first of individual_remaining_depth.' }),
    depth_mm: z
      .number()
      .min(0)
      .meta({ description: 'What a person read from a depth gauge. It is the depth of this groove in the result.' }),
    measured_mm: z.number().meta({ description: 'What the engine measured.' }),
    measured_interval_mm: DepthInterval.nullable(),
    entered_at: DateTime,
  })
  .meta({ id: 'GaugeValue' });
export type GaugeValue = z.infer<typeof GaugeValue>;

const Engine = z.object({
  api: z.string().meta({ description: 'Analysis product.', examples: [ENGINE_API] }),
  api_version: z.string(),
  operation: z.enum(['tire.tread', 'tire.sidewall']),
  result_schema_version: z.string().meta({ examples: ['tire-tread.v2', 'tire-sidewall.v2'] }),
  requested_functions: z.array(z.string()),
});

const ANALYSIS_ERROR_CODES = Object.keys(ANALYSIS_ERRORS) as [AnalysisErrorCode, ...AnalysisErrorCode[]];

const RetakeAdvice = z.object({ code: z.enum(RETAKE_REASONS), hint: z.object({ ko: z.string(), en: z.string() }) });

export const SlotStatus = z.enum(['pending', 'success', 'failed']);

export const Analysis = z
  .object({
    status: SlotStatus,
    provenance: z.enum(['engine', 'manual', 'legacy_projection']).nullable().meta({ description: 'Null while pending.' }),
    engine: Engine.nullable().meta({ description: 'Null while pending or for manual input.' }),
    result: z.union([TreadResult, SidewallResult]).nullable().meta({ description: 'Only on success.' }),
    quality: z
      .object({
        recognized: z.boolean().meta({ description: 'Whether the core result was read.' }),
        confidence: z.number().nullable(),
      })
      .nullable()
      .meta({ description: 'Only on success.' }),
    error: z
      .object({
        code: z.enum(ANALYSIS_ERROR_CODES),
        retryable: z.boolean().meta({ description: 'Whether the same or a replacement input may be tried.' }),
      })
      .nullable()
      .meta({ description: 'Only on failure.' }),
    completed_at: DateTime.nullable(),
    retake: z
      .array(RetakeAdvice)
      .optional()
      .meta({ description: 'Only where the photograph is a bad one, measured or not: why, and how to take a better one.' }),
    gauge: z
      .array(GaugeValue)
      .min(1)
      .optional()
      .meta({
        description:
          'Only where a person measured grooves of this tread with a depth gauge: the depths of the result that come from it. The other depths ' +
          'were measured by the engine. A new measurement of the slot has none.',
        'x-additional': true,
      }),
    sandbox: z
      .string()
      .optional()
      .meta({
        description:
          'Only in test projects, and only where the image is a well-known photograph of the sandbox: its name. No engine measured it; the result is the known one.',
        examples: ['tread-front-left'],
        'x-additional': true,
      }),
  })
  .refine(fitsItsStatus, 'has fields that its status excludes, or lacks one that it needs')
  .meta({ id: 'Analysis' });
export type Analysis = z.infer<typeof Analysis>;

function fitsItsStatus(analysis: {
  status: z.infer<typeof SlotStatus>;
  provenance: unknown;
  engine: unknown;
  result: unknown;
  quality: unknown;
  error: unknown;
  completed_at: unknown;
}): boolean {
  const { status, provenance, engine, result, quality, error, completed_at } = analysis;
  const allNull = (...values: unknown[]) => values.every((value) => value === null);
  switch (status) {
    case 'pending':
      return allNull(provenance, engine, result, quality, error, completed_at);
    case 'success':
      return error === null && ![provenance, result, quality, completed_at].includes(null);
    case 'failed':
      return allNull(result, quality) && ![provenance, error, completed_at].includes(null);
  }
}
