import { z } from 'zod';
import { Analysis, SlotStatus } from './analysis';
import {
  AnalysisStatus,
  Asset,
  ContentGenerator,
  ContentProfile,
  Creation,
  DateTime,
  ModuleTypeSchema,
  PublicationStatus,
  SlotIdSchema,
  SlotSchema,
  Template,
  Uri,
  Uuid,
} from './common';

export const ReportSlot = z
  .object({
    slot_id: SlotIdSchema,
    module_type: ModuleTypeSchema,
    slot: SlotSchema,
    status: SlotStatus.meta({ description: 'Equals analysis.status.' }),
    asset: Asset.nullable().meta({ description: 'Registered input; null while none.' }),
    analysis: Analysis,
  })
  .meta({ id: 'ReportSlot' });
export type ReportSlot = z.infer<typeof ReportSlot>;

export const REPORT_WARNINGS = ['same_image', 'similar_image'] as const;

export const ReportWarning = z
  .object({
    code: z.enum(REPORT_WARNINGS).meta({
      description: 'same_image: the slots have images of the same bytes. similar_image: the images are near copies.',
    }),
    slot_ids: z.array(SlotIdSchema).min(2),
  })
  .meta({ id: 'ReportWarning' });
export type ReportWarning = z.infer<typeof ReportWarning>;

export const CAPTURE_STATES = ['issued', 'opened', 'finished', 'expired', 'revoked'] as const;

export const Capture = z
  .object({
    state: z.enum(CAPTURE_STATES).meta({ description: 'finished: its holder said that all photographs are taken.' }),
    images: z.int().min(0).meta({ description: 'Slots that have an image.' }),
    expires_at: DateTime,
    opened_at: DateTime.nullable(),
    finished_at: DateTime.nullable(),
    revoked_at: DateTime.nullable(),
  })
  .meta({ id: 'Capture', description: 'The capture link of a report.' });

export const Report = z
  .object({
    schema_version: z.literal('report.v1'),
    report_id: Uuid,
    analysis_status: AnalysisStatus,
    publication_status: PublicationStatus,
    summary_status: z.enum(['pending', 'complete', 'partial', 'failed']).meta({
      description: 'complete with content ready, partial or failed as the analysis or its content, else pending.',
    }),
    vehicle: z.object({
      plate_number: z.string().nullable(),
      vin: z.string().nullable().optional().meta({ description: 'As it was sent, in capital letters.', 'x-additional': true }),
      mileage_km: z.int().nullable().optional().meta({ description: 'As it was sent.', 'x-additional': true }),
    }),
    branch_id: Uuid.nullable().optional().meta({ description: 'The branch that made the inspection.', 'x-additional': true }),
    client_context: z.object({
      external_inspection_id: z.string().nullable(),
      external_vehicle_id: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()).meta({ description: 'Partner JSON from creation; {} when none was sent.' }),
    }),
    creation: Creation,
    template: Template,
    analysis_revision: Uuid.nullable().meta({ description: 'Revision of the current objective result set; null while none exists.' }),
    slots: z.array(ReportSlot).meta({ description: 'Only the slots of the template.' }),
    warnings: z.array(ReportWarning).optional().meta({ description: 'Doubts about the images of the report. Empty where there are none.' }),
    capture: Capture.nullable().optional().meta({
      description: 'The state of the newest capture link; null while there is none.',
      'x-additional': true,
    }),
    links: z.object({
      self: Uri,
      content: Uri,
      share: Uri.nullable().meta({ description: 'The active share link; null after it was revoked.' }),
    }),
    timestamps: z.object({
      created_at: DateTime,
      analysis_completed_at: DateTime.nullable(),
      published_at: DateTime.nullable(),
      updated_at: DateTime,
    }),
  })
  .meta({ id: 'Report', description: 'report.v1: objective data. Fields may be added; ignore those you do not know.' });
export type Report = z.infer<typeof Report>;

/** Internal: frozen by the ledger when an analysis has ended, read by the content context. */
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
  warnings: z.array(ReportWarning).optional(),
});
export type AnalysisRevisionSnapshot = z.infer<typeof AnalysisRevisionSnapshot>;
