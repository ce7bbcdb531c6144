import { POSITIONS } from '@tire/kernel';
import { z } from 'zod';
import { VEHICLE_REPORTS_MAX } from '../limits';
import { DepthInterval } from './analysis';
import { AnalysisStatus, Creation, DateTime, PublicationStatus, TemplateKeySchema, Uri, Uuid } from './common';

/** The fields that a list shows have the places that they have in report.v1. */
export const ReportSummary = z
  .object({
    report_id: Uuid,
    analysis_status: AnalysisStatus,
    publication_status: PublicationStatus,
    vehicle: z.object({ plate_number: z.string().nullable() }),
    client_context: z.object({ external_inspection_id: z.string().nullable(), external_vehicle_id: z.string().nullable() }),
    creation: Creation,
    template: z.object({ key: TemplateKeySchema }),
    links: z.object({ self: Uri, content: Uri }),
    timestamps: z.object({ created_at: DateTime }),
  })
  .meta({ id: 'ReportSummary', description: 'Some fields of report.v1. Read the report for the others, and for its slots.' });
export type ReportSummary = z.infer<typeof ReportSummary>;

export const ReportPage = z
  .object({
    reports: z.array(ReportSummary).meta({ description: 'Newest first: by time of creation, then by report_id.' }),
    next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one.' }),
  })
  .meta({ id: 'ReportPage' });
export type ReportPage = z.infer<typeof ReportPage>;

export const VehicleTread = z
  .object({
    depth_interval_mm: DepthInterval.nullable().meta({ description: 'Of the lowest groove; null where the engine measured no intervals.' }),
    is_bald: z.boolean().meta({
      description: 'A place without pattern was found, or no groove in what is surely a tread. The depth says nothing of that place.',
    }),
    is_partly_unseen: z.boolean().meta({ description: 'A lower groove may lie in a part of the tread that was not seen.' }),
    is_image_shared: z.boolean().meta({
      description: 'The image, or one nearly the same, is in the slot of another position too. It is not known which tire has this depth.',
    }),
  })
  .meta({ id: 'VehicleTread', description: 'What belongs to the depth of a tire, as report.v1 has it in full.' });
export type VehicleTread = z.infer<typeof VehicleTread>;

const depth = z.number().nullable();
const tread = VehicleTread.nullable();
const ofEachPosition = <Schema extends z.ZodType>(schema: Schema) =>
  z.object(Object.fromEntries(POSITIONS.map((position) => [position, schema])) as Record<(typeof POSITIONS)[number], Schema>);

export const Vehicle = z
  .object({
    external_vehicle_id: z.string(),
    inspections: z
      .array(
        z.object({
          report_id: Uuid,
          analysis_status: AnalysisStatus,
          depths_mm: ofEachPosition(depth).meta({
            description: 'Remaining depth of the lowest groove of each tire; null where it was not measured.',
          }),
          treads: ofEachPosition(tread).meta({
            description: 'How exact each depth is, and what it does not say; null where no tread was measured.',
          }),
          links: z.object({ self: Uri, content: Uri }),
          timestamps: z.object({ created_at: DateTime }),
        }),
      )
      .meta({
        description:
          `Oldest first; the newest ${VEHICLE_REPORTS_MAX}. GET /reports with external_vehicle_id lists all. A depth that grows shows that a ` +
          'tire was replaced or changed its place: a report knows positions, not tires.',
      }),
  })
  .meta({ id: 'Vehicle', description: 'The wear of a vehicle over time.' });
export type Vehicle = z.infer<typeof Vehicle>;
