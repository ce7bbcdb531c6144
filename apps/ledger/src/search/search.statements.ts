import { AnalysisStatus, CreationMode } from '@tire/contracts/api';
import type { Attention, Standing } from '@tire/kernel';

export const LIMIT_MAX = 100;

/** A field that is left out does not filter. */
export interface ReportFilter {
  readonly analysisStatus?: AnalysisStatus;
  readonly creationMode?: CreationMode;
  readonly standings?: readonly Standing[];
  readonly attentions?: readonly Attention[];
  /** Text of the request, so always a parameter. */
  readonly createdBy?: string;
}

/** Values of which all must match; each of them selects few reports. */
export interface ExactValues {
  readonly plateKey?: string;
  readonly externalInspectionId?: string;
  readonly externalVehicleId?: string;
}

const COLUMNS = `
  report_id, created_at, plate_number, external_inspection_id, external_vehicle_id, template_key, source_channel, creation_mode,
  analysis_status, publication_status, standing, attention, handled_at, handled_by, created_by, revision_id, content_revision`;

const ORDER = 'ORDER BY created_at DESC, report_id DESC';

const NEWEST_FIRST = `${ORDER} LIMIT ${LIMIT_MAX + 1}`;

const PAGE_PARAMETERS = 4;

/**
 * $1 project, $2 and $3 the report before the page, $4 the start of the period. The bound is a literal: with a parameter, the planner expects
 * a tenth of the table, and reads all of it.
 */
const rowsWhere = (columns: string, condition: string, bound: string): string => `${anyRows(columns, condition)} ${ORDER} ${bound}`;

const anyRows = (columns: string, condition: string): string => `
  SELECT ${columns} FROM reports
   WHERE project_id = $1 AND (created_at, report_id) < ($2, $3) AND created_at >= $4 AND discarded_at IS NULL AND purge_at IS NULL
         ${condition}`;

const pageWhere = (condition: string): string => rowsWhere(COLUMNS, condition, `LIMIT ${LIMIT_MAX + 1}`);

/** Each branch reads its own index in the order of the page, and stops. An OR would sort everything that it finds. */
const together = (conditions: readonly string[]): string =>
  `SELECT * FROM (${conditions.map((condition) => `(${pageWhere(condition)})`).join(' UNION ALL ')}) found ${NEWEST_FIRST}`;

interface ExactCondition {
  readonly name: keyof ExactValues;
  /** What an index has, in the order of a page. */
  readonly indexed: (parameter: string) => string;
  /** At most one report has the value. */
  readonly isUnique: boolean;
  readonly whole: (parameter: string) => string;
}

const column = (name: keyof ExactValues, sql: string, isUnique: boolean): ExactCondition => {
  const isEqual = (parameter: string) => ` AND ${sql} = ${parameter}`;
  return { name, indexed: isEqual, whole: isEqual, isUnique };
};

const EXACT: readonly ExactCondition[] = [
  {
    name: 'plateKey',
    indexed: (plate) => ` AND plate_end = right(${plate}, 4)`,
    whole: (plate) => ` AND plate_key = ${plate}`,
    isUnique: false,
  },
  column('externalVehicleId', 'external_vehicle_id', false),
  column('externalInspectionId', 'external_inspection_id', true),
];

/** A page reads so many reports of each value, and then ends early. */
export const READ_MAX = 10_000;

/**
 * A unique value has no order inside: its index has none, and where sorting is off the planner would read every report of the project from an
 * index in the order of the page.
 */
const boundedPart = (indexed: string, matches: string, isUnique: boolean): string => {
  const columns = `${COLUMNS}, plate_key`;
  const read = isUnique ? `${anyRows(columns, indexed)} LIMIT 1` : rowsWhere(columns, indexed, `LIMIT ${READ_MAX}`);
  return `(SELECT ${COLUMNS} FROM (${read}) read WHERE true ${matches} ${NEWEST_FIRST})`;
};

/** Null for a value without more reports. */
const endOfPart = (indexed: string, isUnique: boolean): string =>
  isUnique
    ? 'NULL'
    : `(SELECT json_build_object('created_at', created_at, 'report_id', report_id)
      FROM (${rowsWhere('created_at, report_id', indexed, `LIMIT 1 OFFSET ${READ_MAX - 1}`)}) last_read)`;

/**
 * One index finds the reports of a plate, a vehicle or an inspection; the other conditions are checked on these. They are few, or a partner
 * gives all cars the same id: so each value reads a bounded part of its index, and stops earlier where the page is full. What matches all
 * values is found through each of them, so the page is complete up to the end of the one that reached furthest back. `ends` has these ends,
 * null for a value without more reports. With a full page they are not looked for. Only values that are given are in the statement:
 * `OR $5 IS NULL` would keep the planner from any index.
 */
export function exactStatement(values: ExactValues, filter: ReportFilter): { readonly sql: string; readonly params: string[] } {
  const params = personOf(filter);
  const given = EXACT.flatMap(({ name, indexed, whole, isUnique }) => {
    const value = values[name];
    if (value === undefined) return [];
    const parameter = `$${PAGE_PARAMETERS + params.push(value)}`;
    return [{ indexed: indexed(parameter), whole: whole(parameter), isUnique }];
  });
  const matches = given.map(({ whole }) => whole).join('') + matching(filter, PAGE_PARAMETERS + 1);
  const parts = given.map(({ indexed, isUnique }) => boundedPart(indexed, matches, isUnique));
  const ends = given.map(({ indexed, isUnique }) => endOfPart(indexed, isUnique));
  return {
    sql: `
      WITH page AS (SELECT * FROM (${parts.join(' UNION ')}) found ${NEWEST_FIRST})
      SELECT page.*, CASE WHEN (SELECT count(*) FROM page) > ${LIMIT_MAX} THEN NULL ELSE json_build_array(${ends.join()}) END AS ends
        FROM (VALUES (1)) AS one LEFT JOIN page ON true ORDER BY created_at DESC, report_id DESC`,
    params,
  };
}

/** $5 the plate, $6 the partner's own id, $7 the report, $8 the person if there is one: what an index has, in the order of a page; the rest of the condition; whether at most one report has it. */
const KNOWN = [
  ['AND plate_end = right($5, 4)', 'AND plate_key = $5', false],
  ['AND plate_end = $5', '', false],
  ['AND external_vehicle_id = $6', '', false],
  ['AND external_inspection_id = $6', '', true],
  ['AND report_id = $7', '', true],
] as const;

/**
 * Each way to read the text reads a bounded part of its index, as above. Any of them may match, so the page is complete up to the newest
 * of their ends. Where one fills the page by itself, its end is not looked for.
 */
export function searchStatement(filter: ReportFilter): string {
  const parts = KNOWN.map(
    ([indexed, whole, isUnique], index) =>
      `part_${index} AS ${boundedPart(indexed, whole + matching(filter, PAGE_PARAMETERS + 4), isUnique)}`,
  );
  const all = KNOWN.map((_, index) => `SELECT * FROM part_${index}`);
  const ends = KNOWN.map(
    ([indexed, , isUnique], index) =>
      `CASE WHEN (SELECT count(*) FROM part_${index}) > ${LIMIT_MAX} THEN NULL ELSE ${endOfPart(indexed, isUnique)} END`,
  );
  return `
    WITH ${parts.join()}, page AS (SELECT * FROM (${all.join(' UNION ')}) found ${NEWEST_FIRST})
    SELECT page.*, json_build_array(${ends.join()}) AS ends
      FROM (VALUES (1)) AS one LEFT JOIN page ON true ORDER BY created_at DESC, report_id DESC`;
}

/** The parameter of a person, if the filter has one. */
export const personOf = ({ createdBy }: ReportFilter): string[] => (createdBy === undefined ? [] : [createdBy]);

const matching = ({ creationMode, analysisStatus, standings, attentions, createdBy }: ReportFilter, person: number): string =>
  only('creation_mode', creationMode) +
  only('analysis_status', analysisStatus) +
  among('standing', standings) +
  among('attention', attentions) +
  (createdBy === undefined ? '' : ` AND created_by = $${person}`);

const among = (column: string, values: readonly string[] | undefined): string =>
  values === undefined ? '' : ` AND ${column} IN (${values.map((value) => `'${value}'`).join()})`;

const only = (column: string, value: string | undefined): string => (value === undefined ? '' : ` AND ${column} = '${value}'`);

/** Status and mode are literals, so that the planner can use the statistics of rare values. That makes a few dozen statements. */
export function listStatement({ analysisStatus, creationMode }: ReportFilter): string {
  if (!analysisStatus && !creationMode) return pageWhere('');
  const pieces = (creationMode ? [creationMode] : CreationMode.options).flatMap((mode) =>
    (analysisStatus ? [analysisStatus] : AnalysisStatus.options).map(
      (status) => `AND creation_mode = '${mode}' AND analysis_status = '${status}'`,
    ),
  );
  return together(pieces);
}

/**
 * $1 project; $2 to $7 what is listed: a combination, its turn, and the report before its part; $8 the start of the period; $9 the person.
 * Each combination of standing, attention and mode is a range of one index in the order of a page, of which a page's worth of keys is read.
 * At most 66 combinations exist.
 */
export const placesStatement = ({ analysisStatus, createdBy }: ReportFilter): string => `
  SELECT report_id FROM unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::uuid[])
         AS listed (standing, attention, creation_mode, turn, before_at, before_id)
   CROSS JOIN LATERAL (
     SELECT created_at, report_id FROM reports
      WHERE project_id = $1 AND reports.standing = listed.standing AND reports.attention = listed.attention
            AND reports.creation_mode = listed.creation_mode AND (created_at, report_id) < (before_at, before_id) AND created_at >= $8
            AND discarded_at IS NULL AND purge_at IS NULL ${only('analysis_status', analysisStatus)}
            ${createdBy === undefined ? '' : 'AND created_by = $9'}
      ${NEWEST_FIRST}) place
   ORDER BY turn, created_at DESC, report_id DESC LIMIT ${LIMIT_MAX + 1}`;

export const ROWS_OF_PLACES = `
  SELECT ${COLUMNS} FROM unnest($1::uuid[]) WITH ORDINALITY AS place (report_id, nth) JOIN reports USING (report_id) ORDER BY nth`;

/** $1 project, $2 the reports, in their order. */
export const SELECTED = `
  SELECT ${COLUMNS} FROM unnest($2::uuid[]) WITH ORDINALITY AS chosen (report_id, nth) JOIN reports USING (report_id)
   WHERE project_id = $1 AND discarded_at IS NULL AND purge_at IS NULL ORDER BY nth`;

/** Reads one entry of the index for each person. */
const CREATORS_MAX = 100;
export const CREATORS = `
  WITH RECURSIVE person AS (
    (SELECT created_by FROM reports
      WHERE project_id = $1 AND created_by IS NOT NULL AND discarded_at IS NULL AND purge_at IS NULL ORDER BY created_by LIMIT 1)
    UNION ALL
    SELECT (SELECT created_by FROM reports
             WHERE project_id = $1 AND created_by > person.created_by AND discarded_at IS NULL AND purge_at IS NULL
             ORDER BY created_by LIMIT 1)
      FROM person WHERE person.created_by IS NOT NULL)
  SELECT created_by AS actor FROM person WHERE created_by IS NOT NULL LIMIT ${CREATORS_MAX}`;

/** Makes the planner read a page from an index. It has few statistics about one project, and would otherwise sort all its reports. */
export const NOTHING_SORTED = 'SET LOCAL enable_sort TO off';
