import type { Database, Tx } from '@tire/platform';

export interface LogEntry {
  readonly entryId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

export const insertEntries = (tx: Tx, entries: readonly (LogEntry & { slot: number })[]): Promise<number> =>
  tx.execute(
    `INSERT INTO request_log (slot, entry_id, project_id, key_id, at, method, path, status, duration_ms, request_id)
     SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[], $7::text[], $8::smallint[],
                          $9::integer[], $10::text[])`,
    (['slot', 'entryId', 'projectId', 'keyId', 'at', 'method', 'path', 'status', 'durationMs', 'requestId'] as const).map((column) =>
      entries.map((entry) => entry[column]),
    ),
  );

/** The slot is a small number that this service computes. */
export const emptySlot = (tx: Tx, slot: number): Promise<number> => tx.execute(`TRUNCATE request_log_${Math.trunc(slot)}`);

/** Newest first. Ids contain their time. */
export const logEntries = (
  tx: Tx,
  {
    projectId,
    keyId,
    before,
    since,
    limit,
  }: { projectId: string; keyId: string | undefined; before: string; since: string; limit: number },
): Promise<LogEntry[]> =>
  tx.rows(
    `SELECT entry_id AS "entryId", project_id AS "projectId", key_id AS "keyId", at, method, path, status, duration_ms AS "durationMs",
            request_id AS "requestId"
       FROM request_log
      WHERE project_id = $1 AND entry_id < $2 AND entry_id >= $3 ${keyId === undefined ? '' : 'AND key_id = $5'}
      ORDER BY entry_id DESC LIMIT $4`,
    [projectId, before, since, limit, ...(keyId === undefined ? [] : [keyId])],
  );

const REQUESTS_OF_REPORT_MAX = 500;

/** The oldest first: those whose path names the report, with ids in this range. */
export const requestsOfReport = (
  database: Database,
  projectId: string,
  reportId: string,
  { from, before }: { readonly from: string; readonly before: string },
): Promise<LogEntry[]> =>
  database.projectQuery(
    projectId,
    `SELECT entry_id AS "entryId", project_id AS "projectId", key_id AS "keyId", at, method, path, status, duration_ms AS "durationMs",
            request_id AS "requestId"
       FROM request_log
      WHERE project_id = $1 AND entry_id >= $2 AND entry_id < $3 AND position($4 IN path) > 0
      ORDER BY entry_id LIMIT ${REQUESTS_OF_REPORT_MAX}`,
    [projectId, from, before, reportId],
  );

/** Where a reader of the log has come to. */
export interface LogPosition {
  readonly written: string;
  readonly entryId: string;
}

type WrittenEntry = LogEntry & LogPosition;

/**
 * Transactions that may still be open, and all later ones, are left to the next read: one that ended could be followed by an entry of an
 * earlier one.
 */
const SETTLED = 'written < pg_snapshot_xmin(pg_current_snapshot())';

const SELECT_WRITTEN = `
  SELECT written::text AS written, entry_id AS "entryId", project_id AS "projectId", key_id AS "keyId", at, method, path, status,
         duration_ms AS "durationMs", request_id AS "requestId"
    FROM request_log
   WHERE project_id = $1 AND (written, entry_id) > ($2::xid8, $3::uuid) AND ${SETTLED} AND entry_id >= $4
   ORDER BY written, entry_id LIMIT $5`;

const SELECT_NOW = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS written';

const HAVE_NEWS = `
  SELECT EXISTS (SELECT FROM request_log
                  WHERE project_id = reader.project_id AND (written, entry_id) > (reader.written, reader.entry_id) AND ${SETTLED}
                    AND entry_id >= $4) AS news
    FROM unnest($1::uuid[], $2::xid8[], $3::uuid[]) WITH ORDINALITY AS reader (project_id, written, entry_id, place)
   ORDER BY place`;

const BEFORE_EVERY_ENTRY = '00000000-0000-0000-0000-000000000000';

/** Behind everything that a reader could have read before. */
export async function newestPosition(database: Database): Promise<LogPosition> {
  const [row] = await database.systemQuery<{ written: string }>(SELECT_NOW);
  return { written: row!.written, entryId: BEFORE_EVERY_ENTRY };
}

/** The oldest first. */
export const entriesWrittenAfter = (
  database: Database,
  projectId: string,
  { written, entryId }: LogPosition,
  since: string,
  limit: number,
): Promise<WrittenEntry[]> => database.projectQuery(projectId, SELECT_WRITTEN, [projectId, written, entryId, since, limit]);

/** Whether there are entries for each of these readers, by the same conditions by which they are read. */
export async function haveEntries(
  database: Database,
  readers: readonly (LogPosition & { projectId: string })[],
  since: string,
): Promise<boolean[]> {
  const column = (name: keyof (typeof readers)[number]) => readers.map((reader) => reader[name]);
  const rows = await database.systemQuery<{ news: boolean }>(HAVE_NEWS, [column('projectId'), column('written'), column('entryId'), since]);
  return rows.map(({ news }) => news);
}
