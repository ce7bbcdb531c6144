import type { Database } from '@tire/platform';

export interface ValueRow {
  readonly report_id: string;
  readonly branch_id: string | null;
  readonly vin: string | null;
  readonly mileage_km: number | null;
  /** Null for a report without a measured tire; the fields below are then null too. */
  readonly slot_id: string | null;
  /** Of the lowest groove. */
  readonly depth_mm: number | null;
  readonly size: string | null;
  readonly gauge_grooves: number;
}

const SELECT_VALUES = `
  SELECT reports.report_id, reports.branch_id, reports.vin, reports.mileage_km, measured.slot_id,
         (SELECT min(groove::text::float8)
            FROM json_array_elements(body->'result'->'individual_depths'->'individual_remaining_depth') groove) AS depth_mm,
         (body->'result'->'size'->>'section_width') || '/' || (body->'result'->'size'->>'aspect_ratio') || 'R' ||
           (body->'result'->'size'->>'rim_diameter') AS size,
         coalesce(json_array_length(body->'gauge'), 0) AS gauge_grooves
    FROM reports
    LEFT JOIN (SELECT report_id, slots.slot_id, body FROM slots JOIN analyses USING (report_id, analysis_id) WHERE slots.phase = 'succeeded') measured
              USING (report_id)
   WHERE reports.report_id = ANY($1) AND reports.discarded_at IS NULL AND reports.purge_at IS NULL`;

export const findValues = (database: Database, projectId: string, reportIds: readonly string[]): Promise<ValueRow[]> =>
  database.projectQuery<ValueRow>(projectId, SELECT_VALUES, [reportIds]);
