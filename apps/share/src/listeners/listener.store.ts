import type { ReportEventName } from '@tire/contracts/limits';
import { type Database, sealedColumn, type SealingKeys, type Tx } from '@tire/platform';

/** Of a project the newest so many are kept, whatever its rate. */
export const KEPT_MAX = 10_000;

export const LISTENED_BODY = sealedColumn({ table: 'listened_callbacks', column: 'body', key: ['id'] });

interface ListenedCallback {
  readonly id: string;
  readonly projectId: string;
  readonly type: ReportEventName;
  readonly reportId: string;
  /** Sealed. */
  readonly body: Buffer;
  readonly queuedAt: Date;
}

export interface NumberedCallback extends ListenedCallback {
  /** Counts the recorded callbacks of a project. */
  readonly number: number;
}

/** What a project records, and until when. */
export interface Recording {
  readonly since: Date;
  readonly until: Date;
  readonly lastNumber: number;
}

/**
 * The row of the listener stays locked until the commit, so callbacks become visible in the order of their numbers: whoever has read one
 * never misses one with a smaller number. Inserts nothing if the time of the listener is over.
 */
const RECORD = `
  WITH numbered AS (
    UPDATE listeners SET last_number = last_number + 1, (forgotten_number, forgotten_at) = (
      SELECT coalesce(max(number), forgotten_number), coalesce(max(queued_at), forgotten_at)
        FROM listened_callbacks WHERE project_id = $2 AND number <= last_number + 1 - ${KEPT_MAX})
     WHERE project_id = $2 AND until > $6 RETURNING last_number
  ), dropped AS (
    DELETE FROM listened_callbacks USING numbered WHERE project_id = $2 AND number <= last_number - ${KEPT_MAX}
  )
  INSERT INTO listened_callbacks (id, project_id, number, type, report_id, body, queued_at)
  SELECT $1, $2, last_number, $3, $4, $5, $6 FROM numbered`;

/**
 * One statement, so one moment: whatever has a number up to the last one is visible. A number that the project never gave, of another
 * installation for example, is taken as its last one. Where callbacks after the number were forgotten, the recording begins behind them.
 */
const SELECT_AFTER = `
  SELECT CASE WHEN forgotten_number > $2 THEN greatest(since, forgotten_at) ELSE since END AS since, until,
         last_number::float AS "lastNumber", id, number::float AS number, type, report_id AS "reportId", body,
         queued_at AS "queuedAt"
    FROM listeners LEFT JOIN LATERAL (
      SELECT * FROM listened_callbacks WHERE project_id = $1 AND number > $2 ORDER BY number LIMIT $3) newer ON true
   WHERE listeners.project_id = $1`;

const KEEP_RECORDING = `
  INSERT INTO listeners AS known (project_id, since, until) VALUES ($1, $2, $3)
  ON CONFLICT (project_id) DO UPDATE
    SET since = CASE WHEN known.until <= $2 THEN $2 ELSE known.since END, until = greatest(known.until, EXCLUDED.until)
  RETURNING since, until, last_number::float AS "lastNumber"`;

const SELECT_LAST_NUMBERS = `
  SELECT project_id AS "projectId", last_number::float AS "lastNumber" FROM listeners WHERE project_id = ANY ($1::uuid[])`;

export const recordForListener = (tx: Tx, { id, projectId, type, reportId, body, queuedAt }: ListenedCallback): Promise<number> =>
  tx.execute(RECORD, [id, projectId, type, reportId, body, queuedAt]);

export const sealedForListener = (keys: SealingKeys, projectId: string, id: string, body: string): Buffer =>
  LISTENED_BODY.seal(keys, { projectId, id }, body);

export const openListened = (keys: SealingKeys, { projectId, id, body }: ListenedCallback): string =>
  LISTENED_BODY.open(keys, { projectId, id }, body).toString();

/** Extends the recording of a project, or begins it. */
export const keepRecording = async (tx: Tx, projectId: string, now: Date, until: Date): Promise<Recording> =>
  (await tx.rows<Recording>(KEEP_RECORDING, [projectId, now, until]))[0]!;

type RowAfter = Recording & (NumberedCallback | { readonly id: null });

/** The recording of a project, and its callbacks after a number. Undefined for a project that nobody ever listened to. */
export async function callbacksAfter(
  database: Database,
  projectId: string,
  after: number,
  limit: number,
): Promise<{ recording: Recording; callbacks: NumberedCallback[] } | undefined> {
  const rows = await database.projectQuery<RowAfter>(projectId, SELECT_AFTER, [projectId, after, limit]);
  const callbacks = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, projectId }]));
  return rows[0] && { recording: rows[0], callbacks };
}

export const lastNumbers = (database: Database, projectIds: readonly string[]): Promise<{ projectId: string; lastNumber: number }[]> =>
  database.systemQuery(SELECT_LAST_NUMBERS, [projectIds]);

export const forgetListened = (tx: Tx, reportId: string): Promise<number> =>
  tx.execute('DELETE FROM listened_callbacks WHERE report_id = $1', [reportId]);

/** In the order in which recording locks them too: first the listener, then its callbacks. */
const LOCK_LISTENERS_OF_OLD = `
  SELECT FROM listeners WHERE project_id IN (SELECT project_id FROM listened_callbacks WHERE queued_at < $1) ORDER BY project_id FOR UPDATE`;

const FORGET_OLD = `
  WITH forgotten AS (
    DELETE FROM listened_callbacks WHERE queued_at < $1 RETURNING project_id, number, queued_at
  ), newest AS (
    SELECT project_id, max(number) AS number, max(queued_at) AS queued_at FROM forgotten GROUP BY project_id
  )
  UPDATE listeners SET forgotten_number = number, forgotten_at = queued_at
    FROM newest WHERE listeners.project_id = newest.project_id AND number > forgotten_number`;

export async function forgetOlderThan(tx: Tx, time: Date): Promise<void> {
  await tx.rows(LOCK_LISTENERS_OF_OLD, [time]);
  await tx.execute(FORGET_OLD, [time]);
}
