import type { ScheduledFile } from '@tire/contracts/console';
import { EXPORT_ATTEMPTS_MAX, EXPORT_FILES_SHOWN, type ExportFault, type ExportFormat, type ExportKind } from '@tire/contracts/limits';
import type { Database, Tx } from '@tire/platform';
import type { Period } from '../domain/export-schedule';

interface NewFile extends Period {
  readonly fileId: string;
  readonly projectId: string;
  readonly scheduleId: string;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly name: string;
  readonly expiresAt: Date;
}

/** Nothing where the period of the schedule has a file. */
export const insertFile = (tx: Tx, file: NewFile, now: Date): Promise<number> =>
  tx.execute(
    `INSERT INTO export_files (file_id, project_id, schedule_id, kind, format, name, first_day, last_day, expires_at, state, next_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting', $10) ON CONFLICT (project_id, name) DO NOTHING`,
    [
      ...[file.fileId, file.projectId, file.scheduleId, file.kind, file.format, file.name],
      ...[file.firstDay, file.lastDay, file.expiresAt, now],
    ],
  );

export interface FileRow extends Period {
  readonly fileId: string;
  readonly scheduleId: string;
  readonly name: string;
  readonly state: ScheduledFile['state'];
  readonly attempts: number;
  readonly fault: ExportFault | null;
  readonly answer: string | null;
  readonly nextAt: Date;
  readonly sizeBytes: number | null;
  readonly sha256: Buffer | null;
  readonly storedAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly expiresAt: Date;
}

const DAYS = `to_char(first_day, 'YYYY-MM-DD') AS "firstDay", to_char(last_day, 'YYYY-MM-DD') AS "lastDay"`;

/** The last ones of each schedule of the project, the newest first. */
export const listFiles = (tx: Tx, projectId: string): Promise<FileRow[]> =>
  tx.rows(
    `SELECT files.* FROM export_schedules CROSS JOIN LATERAL (
       SELECT file_id AS "fileId", schedule_id AS "scheduleId", name, ${DAYS}, state, attempts, fault, answer, next_at AS "nextAt",
              size_bytes AS "sizeBytes", sha256, stored_at AS "storedAt", delivered_at AS "deliveredAt", expires_at AS "expiresAt"
         FROM export_files WHERE export_files.schedule_id = export_schedules.schedule_id
        ORDER BY first_day DESC, file_id DESC LIMIT ${EXPORT_FILES_SHOWN}) AS files
      WHERE export_schedules.project_id = $1`,
    [projectId],
  );

/** The name of a file that can be downloaded. */
export async function findStoredFile(tx: Tx, projectId: string, fileId: string, now: Date): Promise<string | null> {
  const [row] = await tx.rows<{ name: string }>(
    'SELECT name FROM export_files WHERE project_id = $1 AND file_id = $2 AND stored_at IS NOT NULL AND expires_at > $3',
    [projectId, fileId, now],
  );
  return row?.name ?? null;
}

/** Those of a schedule that will be removed. */
export const expireFiles = (tx: Tx, scheduleId: string, now: Date): Promise<number> =>
  tx.execute('UPDATE export_files SET expires_at = least(expires_at, $2) WHERE schedule_id = $1', [scheduleId, now]);

/** The settings changed: what failed is tried anew, except what is under way. */
export const tryAgain = (tx: Tx, scheduleId: string, now: Date): Promise<number> =>
  tx.execute(
    `UPDATE export_files SET state = CASE WHEN stored_at IS NULL THEN 'waiting' ELSE 'stored' END, attempts = 0, attempt_id = NULL,
            fault = NULL, answer = NULL, next_at = $2
      WHERE schedule_id = $1 AND state <> 'done' AND fault IS NOT NULL AND (attempt_id IS NULL OR next_at <= $2) AND expires_at > $2`,
    [scheduleId, now],
  );

export interface ClaimedFile extends Period {
  readonly fileId: string;
  readonly projectId: string;
  readonly scheduleId: string;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly name: string;
  readonly state: 'waiting' | 'stored';
  /** What an attempt writes counts only while no other one has begun. */
  readonly attemptId: string;
  /** With this one. */
  readonly attempts: number;
  /** Of the content, if it is stored. */
  readonly sha256: Buffer | null;
}

/**
 * Takes the file that waits the longest, until the lease ends. An attempt whose process died is noted as such, and is over when the lease
 * is; the last one leaves the file failed.
 */
export async function claimFile(database: Database, attemptId: string, now: Date, leaseUntil: Date): Promise<ClaimedFile | null> {
  const [file] = await database.systemQuery<ClaimedFile>(
    `UPDATE export_files SET attempts = attempts + 1, attempt_id = $3, next_at = $2, fault = CASE WHEN attempts > 0 THEN coalesce(fault, 'interrupted') END
      WHERE file_id = (
        SELECT file_id FROM export_files
         WHERE state IN ('waiting', 'stored') AND next_at <= $1 AND attempts < ${EXPORT_ATTEMPTS_MAX} AND schedule_id IS NOT NULL
           AND expires_at > $1
         ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING file_id AS "fileId", project_id AS "projectId", schedule_id AS "scheduleId", kind, format, name, ${DAYS}, state, attempts,
               attempt_id AS "attemptId", sha256`,
    [now, leaseUntil, attemptId],
  );
  return file ?? null;
}

const OF_ATTEMPT = `file_id = $1 AND attempt_id = $2 AND state IN ('waiting', 'stored')`;

type Attempt = Pick<ClaimedFile, 'fileId' | 'attemptId'>;

/** False: another attempt has begun. */
export async function markStored(tx: Tx, { fileId, attemptId }: Attempt, content: { sizeBytes: number; sha256: Buffer }, now: Date) {
  const { sizeBytes, sha256 } = content;
  return (
    (await tx.execute(`UPDATE export_files SET state = 'stored', size_bytes = $3, sha256 = $4, stored_at = $5 WHERE ${OF_ATTEMPT}`, [
      ...[fileId, attemptId, sizeBytes, sha256, now],
    ])) > 0
  );
}

/** Without a time of delivery there is no bucket to deliver to. */
export const markDone = (tx: Tx, { fileId, attemptId }: Attempt, deliveredAt: Date | null): Promise<number> =>
  tx.execute(
    `UPDATE export_files SET state = 'done', attempt_id = NULL, fault = NULL, answer = NULL, delivered_at = $3 WHERE ${OF_ATTEMPT}`,
    [...[fileId, attemptId, deliveredAt]],
  );

interface Failure {
  readonly fault: ExportFault;
  readonly answer: string | null;
  /** Null: none follows. */
  readonly nextAt: Date | null;
}

/** False: another attempt has begun. */
export async function markFailed(tx: Tx, { fileId, attemptId }: Attempt, { fault, answer, nextAt }: Failure, now: Date): Promise<boolean> {
  const changed = await tx.execute(
    `UPDATE export_files SET attempt_id = NULL, fault = $3, answer = $4, next_at = coalesce($5::timestamptz, $6::timestamptz),
            state = CASE WHEN $5::timestamptz IS NULL THEN 'failed' ELSE state END
      WHERE ${OF_ATTEMPT}`,
    [fileId, attemptId, fault, answer, nextAt, now],
  );
  return changed > 0;
}

/** The attempt is not counted: the file waits for its turn, or for another process. */
export const giveBackFile = (tx: Tx, { fileId, attemptId }: Attempt, at: Date): Promise<number> =>
  tx.execute(`UPDATE export_files SET attempts = attempts - 1, attempt_id = NULL, next_at = $3 WHERE ${OF_ATTEMPT}`, [
    ...[fileId, attemptId, at],
  ]);

/** Those whose process died in the last attempt. */
export const failExhausted = (database: Database, now: Date): Promise<unknown[]> =>
  database.systemQuery(
    `UPDATE export_files SET state = 'failed', attempt_id = NULL, fault = coalesce(fault, 'interrupted') WHERE state IN ('waiting', 'stored') AND attempts >= ${EXPORT_ATTEMPTS_MAX} AND next_at <= $1
     RETURNING file_id`,
    [now],
  );

interface ExpiredFile {
  readonly fileId: string;
  readonly projectId: string;
  readonly name: string;
}

/** Not one that is under way: its process may write the object after the removal. */
export const findExpired = (database: Database, now: Date, without: readonly string[], limit: number): Promise<ExpiredFile[]> =>
  database.systemQuery(
    `SELECT file_id AS "fileId", project_id AS "projectId", name FROM export_files
      WHERE expires_at <= $1 AND (state IN ('done', 'failed') OR next_at <= $1) AND file_id <> ALL($2::uuid[]) ORDER BY expires_at LIMIT $3`,
    [now, without, limit],
  );

export const deleteFile = (database: Database, { fileId, projectId }: ExpiredFile): Promise<unknown[]> =>
  database.projectQuery(projectId, 'DELETE FROM export_files WHERE file_id = $1 RETURNING file_id', [fileId]);
