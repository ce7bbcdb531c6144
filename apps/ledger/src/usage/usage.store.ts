import { faulty } from '@tire/kernel';
import type { Database, Tx } from '@tire/platform';

export const FAILED = 'failed:';

const MEASURED = `CASE happening->>'what' WHEN 'slot_failed' THEN '${FAILED}' || (happening->>'errorCode') ELSE 'images' END`;
const IS_MEASURED = `happening->>'what' IN ('image_registered', 'image_attached', 'slot_failed')`;

/**
 * Every countable fact with its time. A creation and its images are in the row of the report, everything else in the history. Imported
 * reports do not count.
 */
const happened = (reports: string, when: (time: string) => string): string => `
  SELECT project_id, created_at AS at, 'reports' AS measure, 1 AS count FROM ${reports} WHERE ${when('created_at')} AND NOT legacy
  UNION ALL
  SELECT project_id, created_at, 'images', images_at_creation FROM ${reports}
   WHERE ${when('created_at')} AND NOT legacy AND images_at_creation > 0
  UNION ALL
  SELECT project_id, at, ${MEASURED}, 1 FROM report_history, json_array_elements(happenings) AS happening
   WHERE ${when('at')} AND ${IS_MEASURED}`;

const inPeriod = (time: string): string => `${time} >= $1 AND ${time} < $2`;

/** The index of reports by time begins with the project, so this looks up one project after the other. */
const CREATED = `
  (WITH RECURSIVE projects AS (
     (SELECT project_id FROM reports ORDER BY project_id LIMIT 1)
     UNION ALL
     SELECT (SELECT later.project_id FROM reports later WHERE later.project_id > projects.project_id ORDER BY later.project_id LIMIT 1)
       FROM projects WHERE projects.project_id IS NOT NULL
   )
   SELECT of_project.* FROM projects CROSS JOIN LATERAL (
     SELECT project_id, created_at, legacy, images_at_creation FROM reports
      WHERE reports.project_id = projects.project_id AND ${inPeriod('created_at')}
   ) of_project)`;

/** The quarter of an hour: every zone of today begins its days with one. */
const QUARTER = `date_bin('15 minutes', at, 'epoch')`;

const COUNT = `
  INSERT INTO usage_quarters (project_id, quarter, measure, count)
  SELECT project_id, ${QUARTER}, measure, sum(count) FROM (${happened(CREATED, inPeriod)}) happened GROUP BY 1, 2, 3
  ON CONFLICT (project_id, quarter, measure) DO UPDATE SET count = usage_quarters.count + excluded.count`;

/**
 * Counts uncounted entries while it deletes them. FOR SHARE keeps the counting process from moving `until` meanwhile. The order of the rows
 * is fixed, so that two deletions in one project do not wait for each other in a circle.
 */
const DELETE_HISTORY = `
  WITH counted AS (SELECT until FROM usage_counted FOR SHARE),
       gone AS (DELETE FROM report_history WHERE report_id = $1 RETURNING project_id, at, happenings)
  INSERT INTO usage_quarters (project_id, quarter, measure, count)
  SELECT project_id, ${QUARTER}, ${MEASURED}, count(*) FROM gone, json_array_elements(happenings) AS happening
   WHERE at >= (SELECT until FROM counted) AND ${IS_MEASURED} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (project_id, quarter, measure) DO UPDATE SET count = usage_quarters.count + excluded.count`;

/** Counts what the history still holds uncounted, then deletes it: what a report used stays used. */
export const deleteHistory = (tx: Tx, reportId: string): Promise<number> => tx.execute(DELETE_HISTORY, [reportId]);

/** The same for the creation, which is in the row of the report: before a young report is erased. */
const COUNT_CREATION = `
  WITH counted AS (SELECT until FROM usage_counted FOR SHARE)
  INSERT INTO usage_quarters (project_id, quarter, measure, count)
  SELECT project_id, ${QUARTER}, measure, count FROM (
    SELECT project_id, created_at AS at, 'reports' AS measure, 1 AS count FROM reports WHERE report_id = $1 AND NOT legacy
    UNION ALL
    SELECT project_id, created_at, 'images', images_at_creation FROM reports WHERE report_id = $1 AND NOT legacy AND images_at_creation > 0
  ) made WHERE at >= (SELECT until FROM counted) ORDER BY 1, 2, 3
  ON CONFLICT (project_id, quarter, measure) DO UPDATE SET count = usage_quarters.count + excluded.count`;

export const countCreation = (tx: Tx, reportId: string): Promise<number> => tx.execute(COUNT_CREATION, [reportId]);

const COUNTED_UNTIL = 'SELECT until FROM usage_counted';

/**
 * The counted quarters by day in the zone $5, and the minutes since $4 that are not counted yet. $4 is a parameter, so that the planner estimates
 * how few rows these are. `usage_days` has what releases before the quarters counted: whole days in UTC.
 * The first column is the `until` that the statement saw: the caller compares it with $4.
 */
const USAGE = `
  SELECT until, to_char(day, 'YYYY-MM-DD') AS day, measure, count FROM usage_counted LEFT JOIN (
    SELECT day, measure, sum(count)::int AS count FROM (
      SELECT day, measure, count FROM usage_days WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date
      UNION ALL
      SELECT (quarter AT TIME ZONE $5)::date, measure, count FROM usage_quarters
       WHERE project_id = $1 AND quarter >= $2::date::timestamp AT TIME ZONE $5 AND quarter < ($3::date + 1)::timestamp AT TIME ZONE $5
      UNION ALL
      SELECT (at AT TIME ZONE $5)::date, measure, count
        FROM (${happened('reports', (time) => `project_id = $1 AND ${time} >= $4`)}) uncounted
    ) counted WHERE day BETWEEN $2::date AND $3::date GROUP BY 1, 2
  ) used ON true ORDER BY day`;

export interface Counted {
  readonly until: Date;
  /** Null when nothing was used. */
  readonly day: string | null;
  readonly measure: string;
  readonly count: number;
}

const COUNTED_UNTIL_LOCKED = `SELECT until, clock_timestamp() AS "databaseNow" FROM usage_counted FOR UPDATE SKIP LOCKED`;

export async function countedUntil(database: Database, projectId: string): Promise<Date> {
  const [counted] = await database.projectQuery<{ until: Date }>(projectId, COUNTED_UNTIL);
  return counted!.until;
}

/** Null while another process counts. */
export async function lockCountedUntil(tx: Tx): Promise<{ readonly until: Date; readonly databaseNow: Date } | null> {
  const [counted] = await tx.rows<{ until: Date; databaseNow: Date }>(COUNTED_UNTIL_LOCKED);
  return counted ?? null;
}

/** Both days are inclusive, in the time zone. */
export interface UsagePeriod {
  readonly fromDay: string;
  readonly toDay: string;
  readonly timeZone: string;
}

const INVALID_PARAMETER_VALUE = '22023';

/** Node and Postgres have their zones from different releases of the IANA database: one may not know the other's. */
export async function findUsage(
  database: Database,
  projectId: string,
  { fromDay, toDay, timeZone }: UsagePeriod,
  until: Date,
): Promise<Counted[]> {
  try {
    return await database.projectQuery<Counted>(projectId, USAGE, [projectId, fromDay, toDay, until, timeZone]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === INVALID_PARAMETER_VALUE)
      throw faulty('time_zone', 'is no time zone that the database knows.');
    throw error;
  }
}

export async function countPeriod(tx: Tx, from: Date, until: Date): Promise<void> {
  await tx.execute(COUNT, [from, until]);
  await tx.execute('UPDATE usage_counted SET until = $1', [until]);
}
