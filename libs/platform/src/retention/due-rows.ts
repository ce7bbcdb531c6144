import type { Database } from '../database/database';
import type { Tx } from '../database/tx';
import type { Cuts } from './retention-rules';

/** Rows that end with time, and how each project finds its oldest ones in an index. */
export interface EndingRows {
  readonly table: string;
  /** Columns that name a row. */
  readonly key: string;
  /** When the time of a row began. */
  readonly since: string;
  /** The column of the index behind the project, in the order of time. */
  readonly order: string;
  /** Whether a row is older, in terms of `order`. */
  readonly isBefore?: (cut: string) => string;
  readonly where?: string;
  /** The condition of a partial index. */
  readonly indexed?: string;
  /** A query for the projects; default: those of the table, one descent of its index for each. */
  readonly projects?: string;
  /** The time before which rows of a project without a choice have to go. */
  readonly otherwise?: string;
}

/** The table needs an index that begins with the project. */
const projectsIn = (table: string, indexed = 'true'): string => `
  (SELECT project_id FROM ${table} WHERE ${indexed} ORDER BY project_id LIMIT 1)
  UNION ALL
  SELECT (SELECT later.project_id FROM ${table} later
           WHERE later.project_id > projects.project_id AND ${indexed} ORDER BY later.project_id LIMIT 1)
    FROM projects WHERE projects.project_id IS NOT NULL`;

/** The first id of version 7 at a time. */
export const firstIdSql = (time: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

const kept = ({ table, indexed, projects = projectsIn(table, indexed), otherwise = '$3::timestamptz' }: EndingRows): string => `
  RECURSIVE projects AS (${projects}),
  kept AS (
    SELECT projects.project_id, CASE WHEN own.project_id IS NULL THEN ${otherwise} ELSE own.cut END AS cut
      FROM projects LEFT JOIN unnest($1::uuid[], $2::timestamptz[]) AS own (project_id, cut) ON own.project_id = projects.project_id
     WHERE projects.project_id IS NOT NULL
  )`;

const oldest = ({ table, key, since, order, isBefore, where = 'true', indexed = 'true' }: EndingRows, limit: string): string => `
  SELECT ${key}, ${since} AS since FROM ${table}
   WHERE project_id = kept.project_id AND ${isBefore ? isBefore('kept.cut') : `${order} < kept.cut`} AND ${indexed} AND ${where}
   ORDER BY ${order} LIMIT ${limit}`;

/**
 * The common table expression `due`: the oldest rows that have to go, one of each project in turn, so that a project with millions of them
 * holds up no other. $1 to $3 are the cuts, $4 how many, $5 how many of one project. Further parameters are those of `where`.
 */
export const dueRows = (rows: EndingRows): string => `WITH ${kept(rows)},
  due AS (
    SELECT kept.project_id, ${rows.key} FROM kept CROSS JOIN LATERAL (
      SELECT *, row_number() OVER (ORDER BY since) AS place FROM (${oldest(rows, '$5')}) oldest) ended
     WHERE kept.cut IS NOT NULL ORDER BY place, since LIMIT $4
  )`;

/** For how many seconds the oldest of them should be gone; null: none. With the parameters of `dueRows` but $4 and $5, in the same places. */
export const lagOf = (rows: EndingRows): string => `WITH ${kept(rows)}
  SELECT extract(epoch FROM max(kept.cut - ended.since))::float AS lag FROM kept CROSS JOIN LATERAL (${oldest(rows, '1')}) ended
   WHERE kept.cut IS NOT NULL AND $4::int IS NOT NULL AND $5::int IS NOT NULL`;

/**
 * The policies of row-level security make the planner expect a few rows in each project. It would read and sort all that are due for each portion.
 */
export const IN_INDEX_ORDER =
  "SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)";

export const readInIndexOrder = <Row extends object>(database: Database, sql: string, params: readonly unknown[]): Promise<Row[]> =>
  database.asSystem(async (tx: Tx) => {
    await tx.execute(IN_INDEX_ORDER);
    return tx.rows<Row>(sql, params);
  });

/** Of one project at most this part of a portion, while others have some too. */
const PART_OF_PROJECT = 8;

export const dueParams = ({ projectIds, cuts, otherwise }: Cuts, limit: number): unknown[] => [
  projectIds,
  cuts,
  otherwise,
  limit,
  Math.ceil(limit / PART_OF_PROJECT),
];
