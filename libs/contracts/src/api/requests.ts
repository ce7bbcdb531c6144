import { CONTENT_LOCALES, CONTENT_PROFILE, IMAGE_TYPES, type ImageType, type Position, POSITIONS } from '@tire/kernel';
import { z } from 'zod';
import { ModuleTypeSchema, SlotSchema, TemplateKeySchema, Uuid } from './common';
import { CaptureOrder } from './capture';
import { LIMITS, MILEAGE_KM_MAX, VIN_PATTERN } from '../limits';
import { Metadata, text, webAddress } from './text';

/** Requests: unknown fields are ignored, and an optional field may be null, which means that it is absent. Nothing else is repaired. */

type WithSlot = { slot: z.infer<typeof SlotSchema> };

const atMostOnce = (position: Position, imageType: ImageType) => {
  const slot = { properties: { position: { const: position }, image_type: { const: imageType } }, required: ['position', 'image_type'] };
  return { contains: { properties: { slot }, required: ['slot'] }, minContains: 0, maxContains: 1 };
};

/** For documents only: the rule below. Without a type, so that generators of clients leave it out. */
const OnePerSlot = z.unknown().meta({
  id: 'OnePerSlot',
  description: 'A slot may stand in one entry only.',
  allOf: IMAGE_TYPES.flatMap((imageType) => POSITIONS.map((position) => atMostOnce(position, imageType))),
});
const ONE_PER_SLOT = { allOf: [{ $ref: `#/components/schemas/${OnePerSlot.meta()!.id}` }] };

/** One entry per slot, because it is unknown which of two images should count. */
function onePerSlot(entries: readonly WithSlot[], context: z.core.$RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { slot }] of entries.entries()) {
    const key = `${slot.image_type}.${slot.position}`;
    if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'slot'], message: 'names a slot for the second time' });
    seen.add(key);
  }
}

/** The values are for documents only: the ledger names the whole profile, as specified, where one of them is not supported. */
const supported = (values: readonly string[]) => text(64, 1).meta({ enum: [...values] });

/** For documents only, because the ledger names the place of such a slot: the schema here knows no templates. */
const NO_SIDEWALL_OF_4T_0S = {
  if: { properties: { template: { const: 'tire_4t_0s' } }, required: ['template'] },
  then: { properties: { images: { items: { properties: { slot: { properties: { image_type: { const: 'tread' } } } } } } } },
};

/** Not empty: an empty id would make all reports without one the same. */
const ExternalId = text(LIMITS.externalId, 1);

export const SubmittedImage = z
  .object({
    module_type: ModuleTypeSchema,
    slot: SlotSchema,
    source: z.object({
      url: webAddress(['https:']).describe(
        'Public HTTPS address without user name and password; at most 3 redirects; an image of at most 20 MB within 15 seconds.',
      ),
      client_asset_id: text(LIMITS.clientAssetId).nullish().describe("Partner's own asset id."),
    }),
  })
  .meta({ id: 'SubmittedImage' });

export const CreateReportRequest = z
  .object({
    plate_number: text(LIMITS.plateNumber).nullish().describe('Vehicle plate text; may be omitted.'),
    external_inspection_id: ExternalId.nullish().describe(
      "Partner's id of one inspection: creating with the same one again in the project answers with the existing report.",
    ),
    external_vehicle_id: ExternalId.nullish().describe("Partner's id of the vehicle; groups its reports."),
    template: TemplateKeySchema.nullish(),
    callback_url: webAddress(['https:', 'http:'])
      .nullish()
      .describe(
        'Target of the report.completed notification, and of report.partial, report.failed, content.ready, share.revoked and capture.finished if the project ' +
          'chose them. Without TLS in development only.',
      ),
    content_profile: z
      .object({
        key: supported([CONTENT_PROFILE.key]).nullish(),
        version: supported([CONTENT_PROFILE.version]).nullish(),
        locale: supported(CONTENT_LOCALES).nullish(),
      })
      .nullish()
      .describe('Omit to get the current profile in Korean: tire-standard, 1.0, ko-KR. The locale en-US gives its content in English.'),
    metadata: Metadata.nullish(),
    branch_id: z
      .guid({ error: 'must be the id of a branch' })
      .nullish()
      .describe(
        'The branch of the project that made the inspection. Its name, phone number and logo stand on page and PDF. The console shows it on the page Branches.',
      )
      .meta({ 'x-additional': true }),
    vin: z
      .string()
      .regex(new RegExp(VIN_PATTERN), 'must be a VIN: 17 letters and digits without I, O and Q')
      .nullish()
      .describe('Vehicle identification number; 17 letters and digits without I, O and Q.')
      .meta({ 'x-additional': true }),
    mileage_km: z
      .int()
      .min(0)
      .max(MILEAGE_KM_MAX)
      .nullish()
      .describe('What the odometer shows, in kilometres.')
      .meta({ 'x-additional': true }),
    capture: CaptureOrder.nullish()
      .describe('Pre-Signed mode only: with a link for somebody who takes the photographs with a phone. The response has its capture_url.')
      .meta({ 'x-additional': true }),
    images: z
      .array(SubmittedImage)
      .min(1)
      .superRefine(onePerSlot)
      .meta(ONE_PER_SLOT)
      .nullish()
      .describe('Present: customer URL mode, one entry per slot. Absent: Pre-Signed mode.'),
  })
  .meta({ id: 'CreateReportRequest', ...NO_SIDEWALL_OF_4T_0S });
export type CreateReportRequest = z.infer<typeof CreateReportRequest>;

const ListedSlot = z.object({ module_type: ModuleTypeSchema, slot: SlotSchema }).meta({ id: 'ListedSlot' });

export const UploadTargetsRequest = z
  .object({ slots: z.array(ListedSlot).min(1).superRefine(onePerSlot).meta(ONE_PER_SLOT) })
  .meta({ id: 'UploadTargetsRequest' });
export type UploadTargetsRequest = z.infer<typeof UploadTargetsRequest>;

export const RegisterImagesRequest = z
  .object({
    images: z
      .array(z.object({ asset_id: Uuid, module_type: ModuleTypeSchema, slot: SlotSchema }).meta({ id: 'RegisteredImage' }))
      .min(1)
      .superRefine(onePerSlot)
      .meta(ONE_PER_SLOT)
      .describe('Only slots that were actually uploaded.'),
  })
  .meta({ id: 'RegisterImagesRequest' });
export type RegisterImagesRequest = z.infer<typeof RegisterImagesRequest>;

export const AnalyzeRequest = z
  .object({
    slots: z.array(ListedSlot).min(1).superRefine(onePerSlot).meta(ONE_PER_SLOT).nullish().describe('Omitted: every failed slot.'),
  })
  .meta({ id: 'AnalyzeRequest' });
export type AnalyzeRequest = z.infer<typeof AnalyzeRequest>;
