import { AnalysisStatus, CreationMode } from '@tire/contracts/api';

export const LIMIT_MAX = 100;

/** A field that is left out does not filter. */
export interface ReportFilter {
  readonly analysisStatus?: AnalysisStatus;
  readonly creationMode?: CreationMode;
}

/** Values of which all must match; each of them selects few reports. */
export interface ExactValues {
  readonly plateKey?: string;
  readonly externalInspectionId?: string;
  readonly externalVehicleId?: string;
}

const COLUMNS = `
  report_id, created_at, plate_number, external_inspection_id, external_vehicle_id, template_key, source_channel, creation_mode,
  analysis_status, publication_status`;

const NEWEST_FIRST = `ORDER BY created_at DESC, report_id DESC LIMIT ${LIMIT_MAX + 1}`;

const PAGE_PARAMETERS = 4;

/**
 * $1 project, $2 and $3 the report before the page, $4 the start of the period. The limit is a literal: with a parameter, the planner expects
 * a tenth of the table, and reads all of it.
 */
const pageWhere = (condition: string): string => `
  SELECT ${COLUMNS} FROM reports
   WHERE project_id = $1 AND (created_at, report_id) < ($2, $3) AND created_at >= $4 AND discarded_at IS NULL AND purge_at IS NULL
         ${condition} ${NEWEST_FIRST}`;

/** $5 the plate, $6 the partner's own id, $7 the report. */
const KNOWN = [
  'AND plate_end = right($5, 4) AND plate_key = $5',
  'AND plate_end = $5',
  'AND external_vehicle_id = $6',
  'AND external_inspection_id = $6',
  'AND report_id = $7',
];

/** Each branch reads its own index in the order of the page, and stops. An OR would sort everything that it finds. */
const together = (conditions: readonly string[], union: 'UNION' | 'UNION ALL'): string =>
  `SELECT * FROM (${conditions.map((condition) => `(${pageWhere(condition)})`).join(` ${union} `)}) found ${NEWEST_FIRST}`;

/** Each of these values selects few reports. */
export const searchStatement = (filter: ReportFilter): string =>
  together(
    KNOWN.map((condition) => condition + only('creation_mode', filter.creationMode) + only('analysis_status', filter.analysisStatus)),
    'UNION',
  );

const EXACT: readonly (readonly [keyof ExactValues, condition: (parameter: string) => string])[] = [
  ['plateKey', (plate) => `AND plate_end = right(${plate}, 4) AND plate_key = ${plate}`],
  ['externalVehicleId', (vehicle) => `AND external_vehicle_id = ${vehicle}`],
  ['externalInspectionId', (inspection) => `AND external_inspection_id = ${inspection}`],
];

/**
 * One index finds the reports of a plate, a vehicle or an inspection, and the other conditions are checked on these few rows. Only values
 * that are given are in the statement: `OR $5 IS NULL` would keep the planner from any index. Status and mode are expressions, which no index
 * has: with a million reports the planner preferred to read and sort all failed ones of a project, however few the vehicle had.
 */
export function exactStatement(values: ExactValues, filter: ReportFilter): { readonly sql: string; readonly params: string[] } {
  const params: string[] = [];
  const conditions = EXACT.map(([name, condition]) => {
    const value = values[name];
    return value === undefined ? '' : condition(`$${PAGE_PARAMETERS + params.push(value)}`);
  });
  const sql = [...conditions, among('creation_mode', filter.creationMode), among('analysis_status', filter.analysisStatus)].join(' ');
  return { sql: pageWhere(sql), params };
}

const among = (column: string, value: string | undefined): string => (value === undefined ? '' : ` AND ${column} || '' = '${value}'`);

const only = (column: string, value: string | undefined): string => (value === undefined ? '' : ` AND ${column} = '${value}'`);

/** Status and mode are literals, so that the planner can use the statistics of rare values. That makes a few dozen statements. */
export function listStatement({ analysisStatus, creationMode }: ReportFilter): string {
  if (!analysisStatus && !creationMode) return pageWhere('');
  const pieces = (creationMode ? [creationMode] : CreationMode.options).flatMap((mode) =>
    (analysisStatus ? [analysisStatus] : AnalysisStatus.options).map(
      (status) => `AND creation_mode = '${mode}' AND analysis_status = '${status}'`,
    ),
  );
  return together(pieces, 'UNION ALL');
}

/** Makes the planner read a page from an index. It has few statistics about one project, and would otherwise sort all its reports. */
export const NOTHING_SORTED = 'SET LOCAL enable_sort TO off';
