import { FAULTS_MAX, PUBLIC_ERROR_CODES } from '@tire/kernel';
import { z } from 'zod';
import { AnalysisStatus, DateTime, ModuleTypeSchema, PublicationStatus, SlotIdSchema, SlotSchema, Uri, Uuid } from './common';

export const UploadTarget = z
  .object({
    asset_id: Uuid.meta({ description: 'Unique id of this upload; needed at registration.' }),
    module_type: ModuleTypeSchema,
    slot: SlotSchema,
    upload_url: Uri.meta({ description: 'Storage address for HTTP PUT; expires 7200 seconds after issue.' }),
    required_headers: z.record(z.string(), z.string()).meta({
      description: 'Headers to send with the PUT. An upload without them succeeds and is refused at registration.',
      examples: [{ 'Cache-Control': 'max-age=60' }],
    }),
    expires_at: DateTime,
  })
  .meta({ id: 'UploadTarget' });
export type UploadTarget = z.infer<typeof UploadTarget>;

/** Of a request that was carried out. */
export const CreationWarning = z.object({
  code: z.literal('unknown_field'),
  param: z.string().meta({ description: 'The place of the field in the request.', examples: ['plateNumber'] }),
  message: z.string().meta({ description: 'For people; may change.' }),
});
export type CreationWarning = z.infer<typeof CreationWarning>;

export const CreateReportResponse = z
  .object({
    report_id: Uuid,
    status: z.enum(['awaiting_images', 'processing']).meta({ description: 'processing when images were submitted.' }),
    share_url: Uri.meta({ description: 'Opens once analysis and publication are complete. Store it; no second read is needed.' }),
    upload_targets: z.array(UploadTarget).optional().meta({ description: 'Pre-Signed mode only: one entry per slot of the template.' }),
    capture_url: Uri.optional().meta({
      description:
        'Only with `capture`, and only in the answer that created the report: the holder of this link can take the images of this report. ' +
        'A repetition with the same Idempotency-Key gets it again. A lost link is replaced by a new one.',
      'x-additional': true,
    }),
    warnings: z.array(CreationWarning).optional().meta({
      description:
        'Fields of this request that are ignored because they are unknown, and that look like misspelled ones; left out if there are none.',
      'x-additional': true,
    }),
  })
  .meta({ id: 'CreateReportResponse' });
export type CreateReportResponse = z.infer<typeof CreateReportResponse>;

export const UploadTargetsResponse = z
  .object({ report_id: Uuid, upload_targets: z.array(UploadTarget) })
  .meta({ id: 'UploadTargetsResponse' });
export type UploadTargetsResponse = z.infer<typeof UploadTargetsResponse>;

export const RegisterImagesResponse = z
  .object({
    report_id: Uuid,
    analysis_status: AnalysisStatus,
    images: z.array(
      z.object({
        slot_id: SlotIdSchema,
        asset_id: Uuid,
        status: z.enum(['accepted', 'unchanged']).meta({ description: 'unchanged: this asset was applied to the slot before.' }),
      }),
    ),
  })
  .meta({ id: 'RegisterImagesResponse' });
export type RegisterImagesResponse = z.infer<typeof RegisterImagesResponse>;

export const AnalyzeResponse = z
  .object({
    report_id: Uuid,
    analysis_status: AnalysisStatus,
    slots: z.array(SlotIdSchema).meta({ description: 'Slots that are analyzed anew.' }),
  })
  .meta({ id: 'AnalyzeResponse' });
export type AnalyzeResponse = z.infer<typeof AnalyzeResponse>;

export const PublishResponse = z
  .object({ report_id: Uuid, publication_status: PublicationStatus, share_url: Uri.nullable(), published_at: DateTime.nullable() })
  .meta({ id: 'PublishResponse' });
export type PublishResponse = z.infer<typeof PublishResponse>;

export const ShareRecord = z
  .object({
    report_id: Uuid,
    status: z.enum(['active', 'closed', 'revoked', 'expired']).meta({
      description: 'closed: the link is valid but its page is not open at the moment (not published yet, or being measured anew).',
    }),
    share_url: Uri.nullable(),
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
      type: z
        .enum(['authentication_error', 'permission_error', 'invalid_request_error', 'rate_limit_error', 'api_error'])
        .meta({ description: 'Stable; with code, use it for branching.' }),
      code: z.enum(PUBLIC_ERROR_CODES),
      message: z.string().meta({ description: 'For people; may change.' }),
      param: z
        .string()
        .nullable()
        .meta({ description: 'The offending field where there is one.', examples: ['images[0].slot.image_type'] }),
      retryable: z.boolean().meta({ description: 'Retry only when true.' }),
      errors: z
        .array(z.object({ param: z.string().nullable(), message: z.string() }))
        .optional()
        .meta({
          description: `With validation_error and some conflicts: every fault that was found, up to ${FAULTS_MAX}; param and message are those of the first one.`,
          'x-additional': true,
        }),
      report_id: Uuid.optional().meta({
        description: 'With idempotency_conflict of an external_inspection_id: the report that exists.',
        'x-additional': true,
      }),
    }),
  })
  .meta({ id: 'ErrorEnvelope' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
