import { z } from 'zod';
import { ERROR_CODES, slotId } from '@tire/kernel';
import * as literal from './literals';
import {
  DateTime,
  EXTERNAL_ID_LENGTH_MAX,
  METADATA_BYTES_MAX,
  ModuleType,
  PLATE_LENGTH_MAX,
  Slot,
  SlotReference,
  text,
  URL_LENGTH_MAX,
  Uuid,
} from './primitives';
import { ContentProfile } from './report';

const SLOTS_MAX = 8;

/** Says at the second entry of a slot that the slot was named before. */
function oneEntryPerSlot(entries: readonly { slot: Slot }[], context: z.core.$RefinementCtx): void {
  const seen = new Set<string>();
  entries.forEach(({ slot }, index) => {
    const id = slotId(slot);
    if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'slot'], message: `${id} is listed twice` });
    seen.add(id);
  });
}

const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_BYTES_MAX, `must be at most ${METADATA_BYTES_MAX} bytes as JSON`)
  .refine((value) => !JSON.stringify(value).includes('\\u0000'), 'must not contain a NUL character')
  .refine((value) => !/\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(value)), 'must be well-formed Unicode');

const CallbackUrl = text(URL_LENGTH_MAX).refine(
  (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  'must be an http(s) address',
);

const SubmittedImage = z.object({
  module_type: ModuleType,
  slot: Slot,
  source: z.object({ url: text(URL_LENGTH_MAX), client_asset_id: text(EXTERNAL_ID_LENGTH_MAX).nullish() }),
});

/** Unknown fields are ignored: the specification refuses none, and clients of later versions may send them. */
export const CreateReportRequest = z
  .object({
    plate_number: text(PLATE_LENGTH_MAX).nullish(),
    external_inspection_id: text(EXTERNAL_ID_LENGTH_MAX).nullish(),
    external_vehicle_id: text(EXTERNAL_ID_LENGTH_MAX).nullish(),
    template: z.enum(literal.TEMPLATE_KEYS).default(literal.DEFAULT_TEMPLATE_KEY),
    callback_url: CallbackUrl.nullish(),
    content_profile: ContentProfile.nullish(),
    metadata: Metadata.default({}),
    images: z
      .array(SubmittedImage)
      .min(1)
      .max(SLOTS_MAX)
      .superRefine(oneEntryPerSlot)
      .nullish()
      .describe('Present: customer URL mode. Absent: Pre-Signed mode.'),
  })
  .meta({ id: 'CreateReportRequest' });
export type CreateReportRequest = z.infer<typeof CreateReportRequest>;

export const UploadTarget = z
  .object({
    asset_id: Uuid,
    module_type: ModuleType,
    slot: Slot,
    upload_url: z.url(),
    required_headers: z.record(z.string(), z.string()),
    expires_at: DateTime,
  })
  .meta({ id: 'UploadTarget' });
export type UploadTarget = z.infer<typeof UploadTarget>;

export const CreateReportResponse = z
  .object({
    report_id: Uuid,
    status: z.enum(['processing', 'awaiting_images']),
    share_url: z.url(),
    upload_targets: z.array(UploadTarget).optional().describe('Pre-Signed mode only.'),
  })
  .meta({ id: 'CreateReportResponse' });
export type CreateReportResponse = z.infer<typeof CreateReportResponse>;

const SlotList = z.array(SlotReference).min(1).max(SLOTS_MAX).superRefine(oneEntryPerSlot);

export const UploadTargetsRequest = z.object({ slots: SlotList }).meta({ id: 'UploadTargetsRequest' });
export type UploadTargetsRequest = z.infer<typeof UploadTargetsRequest>;

export const UploadTargetsResponse = z
  .object({ report_id: Uuid, upload_targets: z.array(UploadTarget) })
  .meta({ id: 'UploadTargetsResponse' });
export type UploadTargetsResponse = z.infer<typeof UploadTargetsResponse>;

export const RegisterImagesRequest = z
  .object({
    images: z
      .array(SlotReference.extend({ asset_id: Uuid }))
      .min(1)
      .max(SLOTS_MAX)
      .superRefine(oneEntryPerSlot),
  })
  .meta({ id: 'RegisterImagesRequest' });
export type RegisterImagesRequest = z.infer<typeof RegisterImagesRequest>;

export const RegisterImagesResponse = z
  .object({
    report_id: Uuid,
    analysis_status: z.enum(literal.ANALYSIS_STATUSES),
    images: z.array(z.object({ slot_id: z.string(), asset_id: Uuid, status: z.enum(['accepted', 'unchanged']) })),
  })
  .meta({ id: 'RegisterImagesResponse' });
export type RegisterImagesResponse = z.infer<typeof RegisterImagesResponse>;

export const AnalyzeRequest = z.object({ slots: SlotList.optional() }).meta({ id: 'AnalyzeRequest' });
export type AnalyzeRequest = z.infer<typeof AnalyzeRequest>;

export const AnalyzeResponse = z
  .object({ report_id: Uuid, analysis_status: z.enum(literal.ANALYSIS_STATUSES), slots: z.array(z.string()) })
  .meta({ id: 'AnalyzeResponse' });
export type AnalyzeResponse = z.infer<typeof AnalyzeResponse>;

export const PublishResponse = z
  .object({ report_id: Uuid, publication_status: z.enum(literal.PUBLICATION_STATUSES), share_url: z.url(), published_at: DateTime })
  .meta({ id: 'PublishResponse' });
export type PublishResponse = z.infer<typeof PublishResponse>;

export const ShareRecord = z
  .object({
    report_id: Uuid,
    status: z.enum(literal.SHARE_STATUSES),
    share_url: z.url().nullable(),
    expires_at: DateTime.nullable(),
    revoked_at: DateTime.nullable(),
    created_at: DateTime,
  })
  .meta({ id: 'ShareRecord' });
export type ShareRecord = z.infer<typeof ShareRecord>;

export const DiscardResponse = z.object({ report_id: Uuid, discarded_at: DateTime }).meta({ id: 'DiscardResponse' });
export type DiscardResponse = z.infer<typeof DiscardResponse>;

export const ErrorEnvelope = z
  .object({
    error: z.object({
      type: z.enum(['authentication_error', 'permission_error', 'invalid_request_error', 'rate_limit_error', 'api_error']),
      code: z.enum(ERROR_CODES),
      message: z.string(),
      param: z.string().nullable(),
      retryable: z.boolean(),
    }),
  })
  .meta({ id: 'ErrorEnvelope' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
