import { ASSET_SOURCE_KINDS, IMAGE_TYPES, MODULE_TYPE, POSITIONS, SOURCE_CHANNELS, TEMPLATE_KEYS } from '@tire/kernel';
import { z } from 'zod';

export const Uuid = z.guid();
export const DateTime = z.iso.datetime();
export const Uri = z.url();

/** Times before computers and far beyond are mistakes, and some parts of the system cannot compute with them. */
const YEARS = { min: 1970, max: 2999 } as const;

export const MUST_BE_IN_RANGE = `must be in the years ${YEARS.min} to ${YEARS.max}.`;

export const isInRange = (text: string): boolean => {
  const year = Number(text.slice(0, 4));
  return year >= YEARS.min && year <= YEARS.max;
};

/** A time in a request. */
export const RequestedTime = z.iso.datetime().refine(isInRange, MUST_BE_IN_RANGE);

export const PositionSchema = z.enum(POSITIONS).meta({ id: 'Position' });
export const ImageTypeSchema = z.enum(IMAGE_TYPES).meta({ id: 'ImageType' });
export const ModuleTypeSchema = z.literal(MODULE_TYPE).meta({ description: 'The only supported module type.' });

/** A tire position combined with an image type. */
export const SlotSchema = z.object({ position: PositionSchema, image_type: ImageTypeSchema }).meta({ id: 'Slot' });

export const SlotIdSchema = z
  .string()
  .regex(/^tire\.(tread|sidewall)\.(front_left|front_right|rear_left|rear_right)$/, 'must be a slot, as in tire.tread.front_left.')
  .meta({ description: 'Stable key of the form tire.{image_type}.{position}.', examples: ['tire.tread.front_left'] });

export const TemplateKeySchema = z.enum(TEMPLATE_KEYS).meta({
  id: 'TemplateKey',
  description:
    'tire_4t_2s (default): 4 tread and any 2 sidewall images, 8 slots. tire_4t_4s: 4 tread and 4 sidewall images, 8 slots. ' +
    'tire_4t_0s: 4 tread images, 4 slots.',
});

export const Template = z
  .object({
    key: TemplateKeySchema,
    version: z.string().meta({ description: 'Fixed at creation.', examples: ['1.0'] }),
    requirements: z
      .array(
        z.object({
          module_type: ModuleTypeSchema,
          image_type: ImageTypeSchema,
          allowed_positions: z.array(PositionSchema),
          minimum_success_count: z.int().min(0).meta({ description: 'Successful slots needed among the allowed positions.' }),
        }),
      )
      .meta({ description: 'Success-count rules; only image types that the template includes.' }),
  })
  .meta({ id: 'Template' });
export type Template = z.infer<typeof Template>;

export const Asset = z
  .object({
    asset_id: Uuid.meta({ description: 'Opaque id issued by the service. Never build a URL from it.' }),
    source: z.object({
      kind: z.enum(ASSET_SOURCE_KINDS),
      url: z.string().nullable().meta({ description: 'partner_url: the submitted string unchanged. Uploads: null.' }),
      client_asset_id: z.string().nullable(),
    }),
  })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof Asset>;

export const CreationMode = z.enum(['automatic', 'manual']);
export type CreationMode = z.infer<typeof CreationMode>;

export const Creation = z.object({
  source_channel: z.enum(SOURCE_CHANNELS),
  mode: CreationMode.meta({ description: 'A manual report produces no uneven-wear content.' }),
});

export const ContentProfile = z
  .object({
    key: z.string(),
    version: z.string(),
    locale: z.string(),
  })
  .meta({ id: 'ContentProfile', description: 'Fixed at creation. Currently tire-standard, 1.0, in ko-KR or en-US.' });
export type ContentProfile = z.infer<typeof ContentProfile>;

export const ContentGenerator = z
  .object({
    ruleset_version: z.string().meta({ description: 'Verdict rules.' }),
    copy_version: z.string().meta({ description: 'Texts; the output of one version is never modified.' }),
    projection_version: z.string().meta({ description: 'Render projection.' }),
  })
  .meta({ id: 'ContentGenerator' });
export type ContentGenerator = z.infer<typeof ContentGenerator>;

export const PublicationStatus = z.enum(['unpublished', 'published', 'revoked']).meta({ id: 'PublicationStatus' });
export const AnalysisStatus = z.enum(['awaiting_images', 'processing', 'partial', 'complete', 'failed']).meta({
  id: 'AnalysisStatus',
  description:
    'awaiting_images: waiting for images to be registered. processing: registered slots are being analyzed. complete: the template ' +
    'condition is met. partial: successes and failures, condition not met. failed: analysis ended with no successful slot.',
});
export type AnalysisStatus = z.infer<typeof AnalysisStatus>;
