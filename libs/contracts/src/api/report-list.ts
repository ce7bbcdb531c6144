import { POSITIONS } from '@tire/kernel';
import { z } from 'zod';
import { VEHICLE_REPORTS_MAX } from '../limits';
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

const depth = z.number().nullable();

export const Vehicle = z
  .object({
    external_vehicle_id: z.string(),
    inspections: z
      .array(
        z.object({
          report_id: Uuid,
          analysis_status: AnalysisStatus,
          depths_mm: z
            .object(Object.fromEntries(POSITIONS.map((position) => [position, depth])) as Record<(typeof POSITIONS)[number], typeof depth>)
            .meta({ description: 'Remaining depth of the lowest groove of each tire; null where it was not measured.' }),
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
