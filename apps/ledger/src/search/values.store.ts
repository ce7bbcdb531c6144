import type { Database } from '@tire/platform';

interface ValueRow {
  readonly report_id: string;
  readonly slot_id: string;
  /** Of the lowest groove. */
  readonly depth_mm: number | null;
  readonly size: string | null;
  readonly gauge_grooves: number;
}

const SELECT_VALUES = `
  SELECT slots.report_id, slots.slot_id,
         (SELECT min(groove::text::float8)
            FROM json_array_elements(body->'result'->'individual_depths'->'individual_remaining_depth') groove) AS depth_mm,
         (body->'result'->'size'->>'section_width') || '/' || (body->'result'->'size'->>'aspect_ratio') || 'R' ||
           (body->'result'->'size'->>'rim_diameter') AS size,
         coalesce(json_array_length(body->'gauge'), 0) AS gauge_grooves
    FROM slots JOIN reports USING (report_id) JOIN analyses USING (report_id, analysis_id)
   WHERE slots.report_id = ANY($1) AND slots.phase = 'succeeded' AND reports.discarded_at IS NULL AND reports.purge_at IS NULL`;

export const findValues = (database: Database, projectId: string, reportIds: readonly string[]): Promise<ValueRow[]> =>
  database.projectQuery<ValueRow>(projectId, SELECT_VALUES, [reportIds]);
