import { dueParams, dueRows, lagOf, readInIndexOrder, type Cuts, type Database, type EndingRows } from '@tire/platform';

export interface ReportName {
  readonly projectId: string;
  readonly reportId: string;
}

/** $6: the time before which reports of a test project without a choice have to go. A project has one mode, so its newest report has it. */
const REPORTS: EndingRows = {
  table: 'reports',
  key: 'report_id',
  since: 'created_at',
  order: 'created_at',
  where: 'purge_at IS NULL AND legal_hold_at IS NULL',
  projects: `
    (SELECT project_id, project_mode FROM reports ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT later.* FROM projects CROSS JOIN LATERAL (
      SELECT project_id, project_mode FROM reports WHERE reports.project_id > projects.project_id ORDER BY project_id LIMIT 1) later`,
  otherwise: `CASE project_mode WHEN 'test' THEN $6::timestamptz ELSE $3::timestamptz END`,
};

export const SELECT_DUE = `${dueRows(REPORTS)} SELECT project_id AS "projectId", report_id AS "reportId" FROM due`;
const SELECT_LAG = lagOf(REPORTS);

export const findDueReports = (database: Database, cuts: Cuts, testCut: Date | null, limit: number): Promise<ReportName[]> =>
  readInIndexOrder<ReportName>(database, SELECT_DUE, [...dueParams(cuts, limit), testCut]);

const SELECT_CLOSING = 'SELECT extract(epoch FROM $1::timestamptz - min(purge_at))::float AS lag FROM reports WHERE purge_at IS NOT NULL';

/** Also of those whose removal has begun and does not come to its end. */
export async function lagOfReports(database: Database, cuts: Cuts, testCut: Date | null, now: Date): Promise<number> {
  const [due] = await readInIndexOrder<{ lag: number | null }>(database, SELECT_LAG, [...dueParams(cuts, 1), testCut]);
  const [closing] = await readInIndexOrder<{ lag: number | null }>(database, SELECT_CLOSING, [now]);
  return Math.max(due?.lag ?? 0, closing?.lag ?? 0);
}

/** The counts of a project by the time that they are about. */
export const USAGE_QUARTERS = {
  kind: 'usage',
  table: 'usage_quarters',
  key: 'quarter, measure',
  since: 'quarter',
  order: 'quarter',
  remove:
    'DELETE FROM usage_quarters USING due WHERE (usage_quarters.project_id, usage_quarters.quarter, usage_quarters.measure) = (due.project_id, due.quarter, due.measure)',
} as const;

export const USAGE_DAYS = {
  kind: 'usage',
  table: 'usage_days',
  key: 'day, measure',
  since: "(day::timestamp AT TIME ZONE 'UTC')",
  order: 'day',
  isBefore: (cut: string) => `day < (${cut} AT TIME ZONE 'UTC')::date`,
  remove:
    'DELETE FROM usage_days USING due WHERE (usage_days.project_id, usage_days.day, usage_days.measure) = (due.project_id, due.day, due.measure)',
} as const;
