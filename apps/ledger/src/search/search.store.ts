import { VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import type { Database } from '@tire/platform';
import { exactStatement, listStatement, NOTHING_SORTED, searchStatement, type ExactValues, type ReportFilter } from './search.statements';

export type Page = readonly [projectId: string, before: Date | string, reportId: string, since: Date | string];

export interface ListedRow {
  readonly report_id: string;
  readonly created_at: Date;
  readonly plate_number: string | null;
  readonly external_inspection_id: string | null;
  readonly external_vehicle_id: string | null;
  readonly template_key: string;
  readonly source_channel: string;
  readonly creation_mode: string;
  readonly analysis_status: string;
  readonly publication_status: string;
}

export interface VehicleRow {
  readonly report_id: string;
  readonly created_at: Date;
  readonly analysis_status: string;
  readonly slot_id: string | null;
  readonly depth_mm: number | null;
}

/** Newest first. */
export const listReports = (database: Database, page: Page, filter: ReportFilter): Promise<ListedRow[]> =>
  database.withProject(page[0], async (tx) => {
    await tx.execute(NOTHING_SORTED);
    return tx.rows<ListedRow>(listStatement(filter), page);
  });

/** Finds reports by whole values: the plate or its end, the ids of the partner, the id of the report. */
export const searchReports = (
  database: Database,
  page: Page,
  filter: ReportFilter,
  wanted: { readonly plateKey: string; readonly externalId: string; readonly reportId: string | null },
): Promise<ListedRow[]> =>
  database.projectQuery<ListedRow>(page[0], searchStatement(filter), [...page, wanted.plateKey, wanted.externalId, wanted.reportId]);

/** By whole values of the partner, all of which must match. */
export function findReports(database: Database, page: Page, filter: ReportFilter, values: ExactValues): Promise<ListedRow[]> {
  const { sql, params } = exactStatement(values, filter);
  return database.projectQuery<ListedRow>(page[0], sql, [...page, ...params]);
}

/** The depth of a tire is its lowest groove. */
const OF_VEHICLE = `
  SELECT report_id, created_at, analysis_status, slot_id,
         (SELECT min(groove::text::float8)
            FROM json_array_elements(body->'result'->'individual_depths'->'individual_remaining_depth') groove) AS depth_mm
    FROM (
      SELECT report_id, created_at, analysis_status FROM reports
       WHERE project_id = $1 AND external_vehicle_id = $2 AND discarded_at IS NULL AND purge_at IS NULL
       ORDER BY created_at DESC, report_id DESC LIMIT ${VEHICLE_REPORTS_MAX}
    ) newest LEFT JOIN (SELECT * FROM slots WHERE slot_id LIKE 'tire.tread.%' AND phase = 'succeeded') treads USING (report_id)
    LEFT JOIN (SELECT report_id, analysis_id, body FROM analyses) measured USING (report_id, analysis_id)
   ORDER BY created_at, report_id`;

export const findVehicleReports = (database: Database, projectId: string, externalVehicleId: string): Promise<VehicleRow[]> =>
  database.projectQuery<VehicleRow>(projectId, OF_VEHICLE, [projectId, externalVehicleId]);
