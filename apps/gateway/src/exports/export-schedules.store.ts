import type { ExportScheduleRequest } from '@tire/contracts/console';
import { sealedColumn, type Tx } from '@tire/platform';
import type { Period } from '../domain/export-schedule';

/** The secret key of the bucket of a customer. */
export const BUCKET_SECRET = sealedColumn({ table: 'export_schedules', column: 'bucket_secret', key: ['schedule_id'] });

type BucketAddress = Omit<NonNullable<ExportScheduleRequest['bucket']>, 'secret_access_key'>;

export interface ScheduleSettings extends Omit<ExportScheduleRequest, 'bucket' | 'password'> {
  readonly bucket: BucketAddress | null;
  readonly bucketSecret: Buffer | null;
}

interface NextFile {
  readonly period: Period;
  readonly at: Date;
}

export interface ScheduleRow extends ScheduleSettings {
  readonly scheduleId: string;
  readonly projectId: string;
  readonly nextFirstDay: string;
  readonly nextAt: Date;
  readonly createdAt: Date;
}

const SELECT = `
  SELECT schedule_id AS "scheduleId", export_schedules.project_id AS "projectId", kind, frequency, format, language, columns, filters, bucket,
         bucket_secret AS "bucketSecret", to_char(next_first_day, 'YYYY-MM-DD') AS "nextFirstDay", next_at AS "nextAt",
         export_schedules.created_at AS "createdAt"
    FROM export_schedules`;

/** The oldest first. */
export const listSchedules = (tx: Tx, projectId: string): Promise<ScheduleRow[]> =>
  tx.rows(`${SELECT} WHERE project_id = $1 ORDER BY schedule_id`, [projectId]);

export async function lockSchedule(tx: Tx, projectId: string, scheduleId: string): Promise<ScheduleRow | null> {
  const [row] = await tx.rows<ScheduleRow>(`${SELECT} WHERE project_id = $1 AND schedule_id = $2 FOR UPDATE`, [projectId, scheduleId]);
  return row ?? null;
}

/** Two creations at once count each other. */
export const lockSchedules = (tx: Tx, projectId: string): Promise<unknown[]> =>
  tx.rows('SELECT FROM projects WHERE project_id = $1 FOR NO KEY UPDATE', [projectId]);

const valuesOf = ({ kind, frequency, format, language, columns, filters, bucket, bucketSecret }: ScheduleSettings): unknown[] => [
  ...[kind, frequency, format, language, columns, JSON.stringify(filters)],
  ...[bucket && JSON.stringify(bucket), bucketSecret],
];

interface NewSchedule extends ScheduleSettings {
  readonly scheduleId: string;
  readonly projectId: string;
  readonly createdBy: string;
}

export const insertSchedule = (tx: Tx, schedule: NewSchedule, { period, at }: NextFile, now: Date): Promise<number> =>
  tx.execute(
    `INSERT INTO export_schedules (kind, frequency, format, language, columns, filters, bucket, bucket_secret, schedule_id, project_id,
       created_by, next_first_day, next_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [...valuesOf(schedule), schedule.scheduleId, schedule.projectId, schedule.createdBy, period.firstDay, at, now],
  );

export const changeSchedule = (tx: Tx, scheduleId: string, settings: ScheduleSettings): Promise<number> =>
  tx.execute(
    `UPDATE export_schedules SET kind = $1, frequency = $2, format = $3, language = $4, columns = $5, filters = $6, bucket = $7,
       bucket_secret = $8 WHERE schedule_id = $9`,
    [...valuesOf(settings), scheduleId],
  );

export const setNextFile = (tx: Tx, scheduleId: string, { period, at }: NextFile): Promise<number> =>
  tx.execute('UPDATE export_schedules SET next_first_day = $2, next_at = $3 WHERE schedule_id = $1', [scheduleId, period.firstDay, at]);

export const postponeSchedule = (tx: Tx, scheduleId: string, at: Date): Promise<number> =>
  tx.execute('UPDATE export_schedules SET next_at = $2 WHERE schedule_id = $1', [scheduleId, at]);

export async function deleteSchedule(tx: Tx, projectId: string, scheduleId: string): Promise<boolean> {
  return (await tx.execute('DELETE FROM export_schedules WHERE project_id = $1 AND schedule_id = $2', [projectId, scheduleId])) > 0;
}

export interface DueSchedule extends ScheduleRow {
  readonly timeZone: string | null;
}

/** The one that waits the longest. Another process takes another one. */
export async function lockDueSchedule(tx: Tx, now: Date): Promise<DueSchedule | null> {
  const [due] = await tx.rows<{ scheduleId: string; projectId: string; timeZone: string | null }>(
    `SELECT schedule_id AS "scheduleId", project_id AS "projectId", time_zone AS "timeZone" FROM export_schedules JOIN projects USING (project_id)
      WHERE next_at <= $1 ORDER BY next_at LIMIT 1 FOR UPDATE OF export_schedules SKIP LOCKED`,
    [now],
  );
  const row = due && (await lockSchedule(tx, due.projectId, due.scheduleId));
  return row ? { ...row, timeZone: due.timeZone } : null;
}
