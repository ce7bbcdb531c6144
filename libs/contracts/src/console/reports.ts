import { ATTENTIONS, POSITIONS, STANDINGS } from '@tire/kernel';
import { z } from 'zod';
import { AnalysisStatus, Creation, PositionSchema, PublicationStatus, SlotIdSchema, TemplateKeySchema } from '../api/common';
import { Report } from '../api/report';
import { VehicleTread } from '../api/report-list';
import { CreateReportRequest } from '../api/requests';
import { EXPORT_COLUMNS, EXPORT_FORMATS, EXPORT_LANGUAGES, MANUAL_LIMITS, SELECTED_MAX, VEHICLE_REPORTS_MAX } from '../limits';
import { Id, Moment, NextCursor } from './fields';

export { MANUAL_LIMITS };

export const Standing = z
  .enum(STANDINGS)
  .meta({ id: 'Standing', description: 'The verdict of the content, or why there is none. unjudged: measured, the verdict follows.' });
export type Standing = z.infer<typeof Standing>;

export const Person = z.object({
  kind: z.enum(['user', 'api_key', 'service']),
  name: z.string().describe('The e-mail address of the user, the name of the key, or the service.'),
});

/** What the shop knows of a report beside its document. */
export const WorkState = z
  .object({
    standing: Standing,
    attention: z.enum(ATTENTIONS).describe('unread: no member has opened the report since its latest result.'),
    handled: z
      .object({ at: Moment, by: Person.nullable() })
      .nullable()
      .describe('When a member marked it as handled, and who. A new result ends it.'),
    result: z.string().describe('Names the present result. A mark carries the one that the member saw.'),
  })
  .meta({ id: 'WorkState' });
export type WorkState = z.infer<typeof WorkState>;

export const ListedReport = z
  .object({
    report_id: Id,
    created_at: Moment,
    plate_number: z.string().nullable(),
    external_inspection_id: z.string().nullable(),
    external_vehicle_id: z.string().nullable(),
    template_key: TemplateKeySchema,
    creation: Creation,
    analysis_status: AnalysisStatus,
    publication_status: PublicationStatus,
    work: WorkState,
    created_by: Person.nullable().describe('Null for old reports.'),
  })
  .meta({ id: 'ListedReport' });
export type ListedReport = z.infer<typeof ListedReport>;

export const ReportList = z
  .object({ reports: z.array(ListedReport).describe('In the order of the request.'), next_cursor: NextCursor })
  .meta({ id: 'ReportList' });
export type ReportList = z.infer<typeof ReportList>;

export const CreatorList = z
  .object({
    creators: z.array(Person.extend({ actor: z.string().describe('The value of the filter created_by.') })).describe('100 at most.'),
  })
  .meta({ id: 'CreatorList' });
export type CreatorList = z.infer<typeof CreatorList>;

const Selected = z.array(Id).min(1).max(SELECTED_MAX);

export const MarkReportsRequest = z
  .object({
    report_ids: Selected,
    mark: z.enum(['read', 'handled', 'not_handled']),
    seen_results: z
      .array(z.string().max(200))
      .max(SELECTED_MAX)
      .optional()
      .describe('work.result of each report as the member saw it, in the order of report_ids. Without it, whatever the results are.'),
  })
  .meta({ id: 'MarkReportsRequest' });
export type MarkReportsRequest = z.infer<typeof MarkReportsRequest>;

export const MarkedReports = z
  .object({
    reports: z
      .array(z.object({ report_id: Id, outcome: z.enum(['marked', 'unchanged', 'not_found', 'stale']) }))
      .describe('In the order of the request. stale: a newer result came than the one that the member saw. It was not marked.'),
  })
  .meta({ id: 'MarkedReports' });
export type MarkedReports = z.infer<typeof MarkedReports>;

export const SelectedReports = z.object({ report_ids: Selected }).meta({ id: 'SelectedReports' });
export type SelectedReports = z.infer<typeof SelectedReports>;

export const ExportSelectionRequest = z
  .object({
    report_ids: Selected.refine((ids) => new Set(ids).size === ids.length, 'must name each report once').describe(
      'Rows of the file, in this order.',
    ),
    format: z.enum(EXPORT_FORMATS).default('csv'),
    language: z.enum(EXPORT_LANGUAGES).default('ko'),
    columns: z
      .array(z.enum(EXPORT_COLUMNS))
      .min(1)
      .max(EXPORT_COLUMNS.length)
      .refine((columns) => new Set(columns).size === columns.length, 'must name each column once')
      .describe('In their order.'),
  })
  .meta({ id: 'ExportSelectionRequest' });
export type ExportSelectionRequest = z.infer<typeof ExportSelectionRequest>;

export const ShareLinks = z
  .object({
    links: z
      .array(
        z.object({
          report_id: Id,
          outcome: z
            .enum(['open', 'closed', 'not_found', 'failed'])
            .describe('closed: the page does not open at present, or there is no link. failed: it could not be read; try again.'),
          plate_number: z.string().nullable(),
          share_url: z.string().nullable().describe('Only where the page opens.'),
        }),
      )
      .describe('In the order of the request.'),
  })
  .meta({ id: 'ShareLinks' });
export type ShareLinks = z.infer<typeof ShareLinks>;

export const VehicleHistory = z
  .object({
    external_vehicle_id: z.string(),
    inspections: z
      .array(
        z.object({
          report_id: Id,
          created_at: Moment,
          analysis_status: AnalysisStatus,
          standing: Standing,
          depths_mm: z.partialRecord(PositionSchema, z.number()).describe('Remaining depth of each tire that was measured.'),
          treads: z.partialRecord(PositionSchema, VehicleTread).describe('How exact each depth is, and what it does not say.'),
        }),
      )
      .describe(`Oldest first; the newest ${VEHICLE_REPORTS_MAX}.`),
  })
  .meta({ id: 'VehicleHistory' });
export type VehicleHistory = z.infer<typeof VehicleHistory>;

/** Kinds of entries of the history of a report. */
const HISTORY_KINDS = [
  'created',
  'image_registered',
  'image_attached',
  'fetch_requested',
  'image_fetched',
  'analysis_requested',
  'slot_measured',
  'slot_failed',
  'size_confirmed',
  'gauge_entered',
  'gauge_withdrawn',
  'analysis_ended',
  'content_ready',
  'content_failed',
  'published',
  'link_reissued',
  'share_revoked',
  'capture_issued',
  'capture_opened',
  'capture_finished',
  'capture_revoked',
  'handled',
  'not_handled',
  'hold_placed',
  'hold_released',
  'image_ended',
] as const;

const TraceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .nullable()
  .describe('W3C trace id, to find logs and traces of the installation.');

export const ReportMoment = z
  .object({
    at: Moment,
    what: z.enum(HISTORY_KINDS),
    slot_id: SlotIdSchema.nullable().describe('The slot, if the entry is about one.'),
    status: z.string().nullable().describe('analysis_ended: complete, partial or failed.'),
    error_code: z.string().nullable().describe('Of slot_failed and content_failed.'),
    model: z.string().nullable().describe('Of slot_measured and slot_failed: the model that analyzed the image.'),
    analysis_revision: Id.nullable(),
    by: Person.nullable().describe('Who caused it; null for entries before this was recorded.'),
    trace_id: TraceId,
  })
  .meta({ id: 'ReportMoment' });
export type ReportMoment = z.infer<typeof ReportMoment>;

export const ReportDetail = z
  .object({
    report: Report,
    work: WorkState,
    trace_id: TraceId.describe('Of its creation; later requests have their own in the history.'),
    history: z.array(ReportMoment).describe('All changes, oldest first; the latest 1,000.'),
  })
  .meta({ id: 'ReportDetail' });
export type ReportDetail = z.infer<typeof ReportDetail>;

/** An engine may find more grooves than a person enters by hand. */
const GROOVES_MAX = 16;

const { depthMm, grooves, sectionWidthMm, aspectRatioPercent, rimDiameterInch } = MANUAL_LIMITS;

const EnteredSize = z.object({
  section_width: z.int().min(sectionWidthMm.min).max(sectionWidthMm.max),
  aspect_ratio: z.int().min(aspectRatioPercent.min).max(aspectRatioPercent.max),
  rim_diameter: z.int().min(rimDiameterInch.min).max(rimDiameterInch.max),
});

export const SizeGuess = z.object({ slot_id: SlotIdSchema, size: EnteredSize }).meta({ id: 'SizeGuess' });
export type SizeGuess = z.infer<typeof SizeGuess>;

export const SizeGuessList = z
  .object({ guesses: z.array(SizeGuess).describe('One for each slot where a person may be asked.') })
  .meta({ id: 'SizeGuessList' });
export type SizeGuessList = z.infer<typeof SizeGuessList>;

export const ConfirmedSize = z
  .object({ report_id: Id, analysis_status: AnalysisStatus, changed: z.boolean().describe('False where the size was confirmed before.') })
  .meta({ id: 'ConfirmedSize' });
export type ConfirmedSize = z.infer<typeof ConfirmedSize>;

/** Only the console has an operation for it, as for manual reports: a person has to confirm what is unusual. */
export const SetGaugeRequest = z
  .object({
    slot_id: SlotIdSchema,
    analysis_revision: Id.describe('The revision of the report that the person saw.'),
    values: z
      .array(
        z.object({
          groove: z.int().min(1).max(GROOVES_MAX).describe('1 is the first depth of the slot.'),
          depth_mm: z.number().min(depthMm.min).max(depthMm.max).nullable().describe('What the gauge shows; null withdraws the value.'),
        }),
      )
      .min(1)
      .max(GROOVES_MAX)
      .refine((values) => new Set(values.map(({ groove }) => groove)).size === values.length, 'must name each groove once'),
    confirm_unusual: z
      .boolean()
      .default(false)
      .describe('Possible but unusual values are refused with 409 confirmation_required until this is true.'),
  })
  .meta({ id: 'SetGaugeRequest' });
export type SetGaugeRequest = z.infer<typeof SetGaugeRequest>;

export const SetGauge = z
  .object({ report_id: Id, analysis_status: AnalysisStatus, changed: z.boolean().describe('False where the values were there before.') })
  .meta({ id: 'SetGauge' });
export type SetGauge = z.infer<typeof SetGauge>;

export const ImageAddress = z
  .object({
    url: z.string().describe('The image can be read from it for a short time.'),
    expires_at: Moment,
    content_type: z.string(),
    orientation: z.int().min(1).max(8).describe('The EXIF orientation of the stored pixels.'),
  })
  .meta({ id: 'ImageAddress' });
export type ImageAddress = z.infer<typeof ImageAddress>;

/** The console uploads images and submits no addresses. */
export const CreateConsoleReportRequest = CreateReportRequest.omit({ images: true, content_profile: true }).meta({
  id: 'CreateConsoleReportRequest',
});
export type CreateConsoleReportRequest = z.infer<typeof CreateConsoleReportRequest>;

export const ManualTire = z
  .object({
    position: PositionSchema,
    groove_depths_mm: z
      .array(z.number().min(depthMm.min).max(depthMm.max))
      .min(grooves.min)
      .max(grooves.max)
      .describe('From the outside of the vehicle to the inside.'),
    size: EnteredSize.nullish(),
  })
  .meta({ id: 'ManualTire' });
export type ManualTire = z.infer<typeof ManualTire>;

export const CreateManualReportRequest = CreateConsoleReportRequest.omit({ template: true })
  .extend({
    tires: z
      .array(ManualTire)
      .length(POSITIONS.length)
      .refine((tires) => new Set(tires.map(({ position }) => position)).size === POSITIONS.length, 'must name each position once')
      .refine((tires) => tires.filter(({ size }) => size).length !== 1, 'must have the sizes of two tires at least, or of none'),
    confirm_unusual: z
      .boolean()
      .default(false)
      .describe('Possible but unusual values are refused with 409 confirmation_required until this is true.'),
  })
  .meta({ id: 'CreateManualReportRequest' });
export type CreateManualReportRequest = z.infer<typeof CreateManualReportRequest>;
