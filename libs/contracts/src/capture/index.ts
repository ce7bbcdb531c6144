import { ANALYSIS_ERRORS, RETAKE_REASONS, type AnalysisErrorCode } from '@tire/kernel';
import { z } from 'zod';
import { DateTime, ModuleTypeSchema, SlotIdSchema, SlotSchema, TemplateKeySchema, Uri, Uuid } from '../api/common';

/**
 * What somebody with a capture link gets: what is needed to take the photographs of one report, and nothing of what was measured.
 */
const CODES = Object.keys(ANALYSIS_ERRORS) as [AnalysisErrorCode, ...AnalysisErrorCode[]];

export const CaptureSlot = z.object({
  slot_id: SlotIdSchema,
  slot: SlotSchema,
  /** The image that the slot holds now. A registration names it as the one that it replaces. */
  asset_id: Uuid.nullable(),
  /** empty: no image was registered. pending: it is being measured. */
  status: z.enum(['empty', 'pending', 'success', 'failed']),
  /** Only on failure. */
  error_code: z.enum(CODES).nullable(),
  /** Only on success: whether what the slot is for was read, for example the size of a tire. */
  recognized: z.boolean().nullable(),
  /** Why the photograph is a bad one, measured or not. The texts of the codes are RETAKE_HINTS of the kernel. */
  retake: z.array(z.enum(RETAKE_REASONS)),
});
export type CaptureSlot = z.infer<typeof CaptureSlot>;

/** Why a link takes no photographs any more. */
export const CAPTURE_ENDINGS = ['published', 'expired', 'revoked', 'closed'] as const;

export const CaptureSession = z.object({
  schema_version: z.literal('capture.v1'),
  report_id: Uuid,
  /** open: photographs can be uploaded and registered. */
  state: z.enum(['open', 'ended']),
  ended_reason: z.enum(CAPTURE_ENDINGS).nullable(),
  /** When somebody said that all photographs are taken. Further ones are accepted until the link ends. */
  finished_at: DateTime.nullable(),
  expires_at: DateTime,
  language: z.enum(['ko', 'en']),
  /** Who asks for the photographs. */
  partner: z.object({
    name: z.string().nullable(),
    phone_number: z.string().nullable(),
    address: z.string().nullable(),
    /** With line breaks. */
    opening_hours: z.string().nullable(),
    logo_url: Uri.nullable(),
  }),
  /** Where the person is sent afterwards, with the parameters report_id and status. */
  return_url: Uri.nullable(),
  /** The page of the report, once it is open and where the project shows it. */
  share_url: Uri.nullable(),
  template: z.object({
    key: TemplateKeySchema,
    /** Successful slots needed of each image type. */
    minimum_success_count: z.object({ tread: z.int().min(0), sidewall: z.int().min(0) }),
  }),
  slots: z.array(CaptureSlot),
});
export type CaptureSession = z.infer<typeof CaptureSession>;

export const CaptureImages = z.object({
  images: z
    .array(
      z.object({
        asset_id: Uuid,
        module_type: ModuleTypeSchema,
        slot: SlotSchema,
        /**
         * The image that its sender knows in the slot; null: none. Where the slot holds another one, the registration is refused, so that a
         * repetition never replaces what another phone sent meanwhile. Absent (a page that was loaded before the field existed): a slot that
         * succeeded keeps its image.
         */
        replaces_asset_id: Uuid.nullish(),
      }),
    )
    .length(1),
});
export type CaptureImages = z.infer<typeof CaptureImages>;
