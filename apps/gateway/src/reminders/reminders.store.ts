import type { Database, Tx } from '@tire/platform';
import type { EndCause, ReminderReason } from '../domain/reminder';
import type { Channel } from '../messages/carrier';

export interface NewReminder {
  readonly reminderId: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly reason: ReminderReason;
  readonly channel: Channel;
  readonly receiverDigest: Buffer;
  readonly dueAt: Date;
  readonly consent: { readonly version: string; readonly language: string; readonly by: string };
}

/** False: one with this reason is planned already. */
export async function insertReminder(tx: Tx, reminder: NewReminder, now: Date): Promise<boolean> {
  const { reminderId, projectId, reportId, reason, channel, receiverDigest, dueAt, consent } = reminder;
  const rows = await tx.rows(
    `INSERT INTO reminders (reminder_id, project_id, report_id, reason, channel, state, receiver_digest, due_at, next_at, consent_version,
       consent_language, consent_by, consent_at)
     VALUES ($1, $2, $3, $4, $5, 'planned', $6, $7, $7, $8, $9, $10, $11)
     ON CONFLICT (project_id, report_id, reason) WHERE state = 'planned' DO NOTHING RETURNING reminder_id`,
    [reminderId, projectId, reportId, reason, channel, receiverDigest, dueAt, consent.version, consent.language, consent.by, now],
  );
  return rows.length === 1;
}

export interface ReminderRow {
  readonly reminderId: string;
  readonly reason: ReminderReason;
  readonly channel: Channel;
  readonly state: string;
  readonly because: EndCause | null;
  readonly dueAt: Date;
  readonly endedAt: Date | null;
  readonly consentVersion: string;
  readonly consentLanguage: 'ko' | 'en';
  readonly consentAt: Date;
  readonly consentBy: string | null;
}

const LISTED_MAX = 50;

export const listReminders = (tx: Tx, projectId: string, reportId: string): Promise<ReminderRow[]> =>
  tx.rows(
    `SELECT reminder_id AS "reminderId", reason, channel, state, because, due_at AS "dueAt", ended_at AS "endedAt",
            consent_version AS "consentVersion", consent_language AS "consentLanguage", consent_at AS "consentAt", users.name AS "consentBy"
       FROM reminders LEFT JOIN users ON users.user_id = consent_by
      WHERE project_id = $1 AND report_id = $2 ORDER BY reminder_id DESC LIMIT ${LISTED_MAX}`,
    [projectId, reportId],
  );

/** Those that are planned: one of them, or all of the report. Returns how many it ended. */
export const endReminders = (
  tx: Tx,
  projectId: string,
  reportId: string,
  { state, because, only = null }: { state: 'stopped' | 'dropped'; because: EndCause; only?: string | null },
  now: Date,
): Promise<number> =>
  tx.execute(
    `UPDATE reminders SET state = $3, because = $4, ended_at = $5
      WHERE project_id = $1 AND report_id = $2 AND state = 'planned' AND ($6::uuid IS NULL OR reminder_id = $6)`,
    [projectId, reportId, state, because, now, only],
  );

export interface DueReminder {
  readonly reminderId: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly channel: Channel;
  readonly language: 'ko' | 'en';
  readonly dueAt: Date;
  readonly timeZone: string | null;
}

/** Takes those that are due. If the process dies, another one takes them again after the lease. */
export const claimReminders = (database: Database, now: Date, leaseUntil: Date, limit: number): Promise<DueReminder[]> =>
  database.systemQuery(
    `UPDATE reminders SET next_at = $2 FROM projects
      WHERE projects.project_id = reminders.project_id AND reminder_id IN (
        SELECT reminder_id FROM reminders WHERE state = 'planned' AND next_at <= $1 ORDER BY next_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING reminder_id AS "reminderId", reminders.project_id AS "projectId", report_id AS "reportId", channel,
               consent_language AS language, due_at AS "dueAt", time_zone AS "timeZone"`,
    [now, leaseUntil, limit],
  );

export const postponeReminder = (database: Database, { reminderId, projectId }: DueReminder, at: Date): Promise<unknown[]> =>
  database.projectQuery(projectId, `UPDATE reminders SET next_at = $2 WHERE reminder_id = $1 AND state = 'planned' RETURNING reminder_id`, [
    reminderId,
    at,
  ]);

/** False if it has ended meanwhile. Otherwise the caller's transaction decides about it. */
export async function lockPlanned(tx: Tx, reminderId: string): Promise<boolean> {
  return (await tx.rows(`SELECT FROM reminders WHERE reminder_id = $1 AND state = 'planned' FOR UPDATE`, [reminderId])).length === 1;
}

interface SentReminder {
  readonly receiverDigest: Buffer;
  readonly stopDigest: Buffer;
  readonly messageId: string;
}

export const markSent = (tx: Tx, reminderId: string, { receiverDigest, stopDigest, messageId }: SentReminder, now: Date): Promise<number> =>
  tx.execute(
    `UPDATE reminders SET state = 'sent', receiver_digest = $2, stop_digest = $3, message_id = $4, ended_at = $5 WHERE reminder_id = $1`,
    [reminderId, receiverDigest, stopDigest, messageId, now],
  );

const REOPEN = `
  UPDATE reminders SET state = 'planned', ended_at = NULL, stop_digest = NULL, message_id = NULL, next_at = $1
   WHERE reminder_id IN (
     SELECT DISTINCT ON (failed.project_id, failed.report_id, reason) reminder_id FROM messages AS failed JOIN reminders USING (message_id)
      WHERE failed.kind = 'reminder' AND failed.state = 'failed' AND failed.failure IN ('unavailable', 'expired') AND failed.ended_at <= $2
        AND reminders.state = 'sent' AND NOT EXISTS (
          SELECT FROM reminders AS other
           WHERE other.project_id = failed.project_id AND other.report_id = failed.report_id AND other.reason = reminders.reason
             AND other.state = 'planned')
      LIMIT $3)
  RETURNING reminder_id`;

/** Those whose message the provider has certainly not taken are planned again. */
export const reopenUnsent = (database: Database, now: Date, before: Date, limit: number): Promise<unknown[]> =>
  database.systemQuery(REOPEN, [now, before, limit]);

const STOP_ALL = `
  WITH pressed AS (SELECT project_id, receiver_digest FROM reminders WHERE stop_digest = $1),
  reports AS (SELECT DISTINCT project_id, report_id FROM reminders JOIN pressed USING (project_id, receiver_digest)),
  ended AS (
    UPDATE reminders
       SET state = CASE state WHEN 'planned' THEN 'stopped' ELSE state END,
           because = CASE state WHEN 'planned' THEN 'receiver' ELSE because END,
           ended_at = coalesce(ended_at, $2),
           message_id = NULL
      FROM reports
     WHERE reminders.project_id = reports.project_id AND reminders.report_id = reports.report_id
       AND (state = 'planned' OR message_id IS NOT NULL)
  )
  UPDATE messages SET state = 'stopped', content = NULL, under_way = false, ended_at = $2 FROM reports
   WHERE messages.project_id = reports.project_id AND messages.report_id = reports.report_id AND kind = 'reminder' AND state = 'queued'
  RETURNING message_id`;

/**
 * All reminders of the project to the receiver of the one with this token: of every report with a reminder to the same address, on each channel,
 * also those that wait in the outbox, and those that would be planned again because their message was not sent.
 */
export const stopByReceiver = (database: Database, stopDigest: Buffer, now: Date): Promise<unknown[]> =>
  database.systemQuery(STOP_ALL, [stopDigest, now]);
