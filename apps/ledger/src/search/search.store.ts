import { VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import type { Attention, Standing } from '@tire/kernel';
import type { Database } from '@tire/platform';
import {
  CREATORS,
  exactStatement,
  listStatement,
  NOTHING_SORTED,
  personOf,
  placesStatement,
  ROWS_OF_PLACES,
  searchStatement,
  SELECTED,
  type ExactValues,
  type ReportFilter,
} from './search.statements';
import type { Range } from './worklist';

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
  readonly standing: Standing;
  readonly attention: Attention;
  readonly handled_at: Date | null;
  readonly handled_by: string | null;
  readonly created_by: string | null;
  readonly revision_id: string | null;
  readonly content_revision: string | null;
}

/** Where a list goes on after its last report. */
export type Place = Pick<ListedRow, 'created_at' | 'report_id'>;

export interface FoundReports {
  readonly rows: readonly ListedRow[];
  /** Up to here the list is complete; null: to its end. */
  readonly end: Place | null;
}

export interface VehicleRow {
  readonly report_id: string;
  readonly created_at: Date;
  readonly analysis_status: string;
  readonly standing: Standing;
  readonly slot_id: string | null;
  readonly depth_mm: number | null;
  readonly depth_low_mm: number | null;
  readonly depth_high_mm: number | null;
  readonly is_bald: boolean;
  readonly is_partly_unseen: boolean;
  /** Of the images that the report's slots show. */
  readonly warnings_json: string;
  readonly creation_mode: string;
}

/** Newest first. */
export const listReports = (database: Database, page: Page, filter: ReportFilter): Promise<ListedRow[]> =>
  database.withProject(page[0], async (tx) => {
    await tx.execute(NOTHING_SORTED);
    return tx.rows<ListedRow>(listStatement(filter), page);
  });

/** In the order of the turns, and newest first within one. */
export const listRanges = (database: Database, projectId: string, ranges: readonly Range[], filter: ReportFilter, since: Date | string) =>
  database.withProject(projectId, async (tx): Promise<ListedRow[]> => {
    await tx.execute(NOTHING_SORTED);
    const column = <T>(of: (range: Range) => T): T[] => ranges.map(of);
    const places = await tx.rows<{ report_id: string }>(placesStatement(filter), [
      projectId,
      column(({ standing }) => standing),
      column(({ attention }) => attention),
      column(({ mode }) => mode),
      column(({ turn }) => turn),
      column(({ before }) => before[0]),
      column(({ before }) => before[1]),
      since,
      ...personOf(filter),
    ]);
    return tx.rows<ListedRow>(ROWS_OF_PLACES, [places.map(({ report_id }) => report_id)]);
  });

export const findSelected = (database: Database, projectId: string, reportIds: readonly string[]): Promise<ListedRow[]> =>
  database.projectQuery<ListedRow>(projectId, SELECTED, [projectId, reportIds]);

/** At most `CREATORS_MAX`. */
export const findCreators = (database: Database, projectId: string): Promise<{ actor: string }[]> =>
  database.projectQuery(projectId, CREATORS, [projectId]);

interface Ends {
  readonly ends: readonly ({ readonly created_at: string; readonly report_id: string } | null)[] | null;
}

interface Read {
  readonly rows: readonly ListedRow[];
  /** Of each value where its bounded part ended; null for a value that was read to its end. */
  readonly ends: readonly (Place | null)[];
}

async function readParts(database: Database, page: Page, sql: string, params: readonly unknown[]): Promise<Read> {
  const rows = await database.withProject(page[0], async (tx) => {
    await tx.execute(NOTHING_SORTED);
    return tx.rows<(ListedRow | Record<keyof ListedRow, null>) & Ends>(sql, [...page, ...params]);
  });
  const ends = rows[0]?.ends ?? [null];
  return {
    rows: rows.filter((row): row is ListedRow & Ends => row.report_id !== null),
    ends: ends.map((end) => end && { ...end, created_at: new Date(end.created_at) }),
  };
}

/** Finds reports by whole values: the plate or its end, the ids of the partner, the id of the report. */
export async function searchReports(
  database: Database,
  page: Page,
  filter: ReportFilter,
  wanted: { readonly plateKey: string; readonly externalId: string; readonly reportId: string | null },
): Promise<FoundReports> {
  const params = [wanted.plateKey, wanted.externalId, wanted.reportId, ...personOf(filter)];
  const { rows, ends } = await readParts(database, page, searchStatement(filter), params);
  const end = ends.reduce((newest, one) => (newest && one ? newer(newest, one) : (newest ?? one)), null);
  // Older reports of this value may be missing.
  return { rows: end === null ? rows : rows.filter((row) => newer(row, end) === row || row.report_id === end.report_id), end };
}

/** By whole values of the partner, all of which must match. */
export async function findReports(database: Database, page: Page, filter: ReportFilter, values: ExactValues): Promise<FoundReports> {
  const { sql, params } = exactStatement(values, filter);
  const { rows, ends } = await readParts(database, page, sql, params);
  const places = ends.filter((end) => end !== null);
  const isComplete = places.length < ends.length;
  return { rows, end: isComplete ? null : places.reduce(older) };
}

const newer = (one: Place, other: Place): Place => (older(one, other) === one ? other : one);

function older(one: Place, other: Place): Place {
  if (one.created_at.getTime() !== other.created_at.getTime()) return one.created_at < other.created_at ? one : other;
  return one.report_id < other.report_id ? one : other;
}

const end = (index: 0 | 1): string => `
         (SELECT min((ends->>${index})::float8)
            FROM json_array_elements(body->'result'->'individual_depths'->'depth_intervals_mm') ends)`;

/** The depth of a tire is its lowest groove. Any groove may be the lowest one, so its interval has the lowest of both ends. */
export const measuredTreads = (newest: string): string => `
  SELECT newest.*, slot_id,
         (SELECT min(groove::text::float8)
            FROM json_array_elements(body->'result'->'individual_depths'->'individual_remaining_depth') groove) AS depth_mm,
         ${end(0)} AS depth_low_mm, ${end(1)} AS depth_high_mm,
         coalesce((body->'result'->'bald_zones'->>'worn_smooth')::bool
                  OR (body->'result'->'bald_zones'->>'share_of_width')::float8 > 0
                  OR json_array_length(body->'result'->'bald_zones'->'zones') > 0, false) AS is_bald,
         coalesce(json_array_length(body->'result'->'unseen_parts') > 0, false) AS is_partly_unseen
    FROM (${newest}) newest
    LEFT JOIN (SELECT report_id, slot_id, analysis_id FROM slots WHERE slot_id LIKE 'tire.tread.%' AND phase = 'succeeded') treads USING (report_id)
    LEFT JOIN (SELECT report_id, analysis_id, body FROM analyses) measured USING (report_id, analysis_id)
   ORDER BY created_at, report_id`;

const OF_VEHICLE = measuredTreads(`
  SELECT report_id, created_at, analysis_status, standing, warnings_json, creation_mode FROM reports
   WHERE project_id = $1 AND external_vehicle_id = $2 AND discarded_at IS NULL AND purge_at IS NULL
   ORDER BY created_at DESC, report_id DESC LIMIT ${VEHICLE_REPORTS_MAX}`);

export const findVehicleReports = (database: Database, projectId: string, externalVehicleId: string): Promise<VehicleRow[]> =>
  database.projectQuery<VehicleRow>(projectId, OF_VEHICLE, [projectId, externalVehicleId]);
