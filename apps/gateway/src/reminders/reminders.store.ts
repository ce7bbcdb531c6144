import type { Database, Tx } from '@tire/platform';
import type { EndCause, ReminderReason } from '../domain/reminder';
import type { Channel } from '../messages/carrier';
import { stopMessagesById } from '../messages/messages.store';

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
  /** Its message waits in the outbox. */
  readonly isQueued: boolean;
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
            EXISTS (SELECT FROM messages WHERE messages.message_id = reminders.message_id AND messages.state = 'queued') AS "isQueued",
            consent_version AS "consentVersion", consent_language AS "consentLanguage", consent_at AS "consentAt", users.name AS "consentBy"
       FROM reminders LEFT JOIN users ON users.user_id = consent_by
      WHERE project_id = $1 AND report_id = $2 ORDER BY reminder_id DESC LIMIT ${LISTED_MAX}`,
    [projectId, reportId],
  );

export interface OpenReminder {
  readonly reminderId: string;
  readonly state: 'planned' | 'sent';
  readonly messageId: string | null;
}

export interface Ending {
  readonly state: 'stopped' | 'dropped';
  readonly because: EndCause;
}

export const OPEN_REMINDERS = `
  SELECT reminder_id AS "reminderId", state, message_id AS "messageId" FROM reminders
   WHERE project_id = $1 AND (state = 'planned' OR message_id IS NOT NULL)`;

const NOT_SENT = `
  SELECT message_id AS "messageId" FROM messages
   WHERE message_id = ANY($1) AND (state = 'stopped' OR state = 'failed' AND failure IN ('refused', 'unavailable', 'expired'))`;

/**
 * The caller has locked them, in the order of their ids. Ends what is planned, what waits in the outbox, and what would be planned again; one
 * that was sent stays so. Returns how many it ended.
 */
export async function endOpen(tx: Tx, open: readonly OpenReminder[], { state, because }: Ending, now: Date): Promise<number> {
  if (open.length === 0) return 0;
  const messageIds = open.flatMap(({ messageId }) => messageId ?? []);
  await stopMessagesById(tx, messageIds, now);
  const rows = await tx.rows<{ messageId: string }>(NOT_SENT, [messageIds]);
  const notSent = new Set(rows.map(({ messageId }) => messageId));
  const ended = open.filter((one) => one.state === 'planned' || (one.messageId !== null && notSent.has(one.messageId)));
  const idsOf = (reminders: readonly OpenReminder[]) => reminders.map(({ reminderId }) => reminderId);
  await tx.execute('UPDATE reminders SET message_id = NULL WHERE reminder_id = ANY($1)', [idsOf(open)]);
  return tx.execute('UPDATE reminders SET state = $2, because = $3, ended_at = $4 WHERE reminder_id = ANY($1)', [
    idsOf(ended),
    state,
    because,
    now,
  ]);
}

export async function isSentReminder(tx: Tx, projectId: string, reportId: string, reminderId: string): Promise<boolean> {
  const sent = `SELECT FROM reminders WHERE project_id = $1 AND report_id = $2 AND reminder_id = $3 AND state = 'sent'`;
  return (await tx.rows(sent, [projectId, reportId, reminderId])).length > 0;
}

/** All of the report, those of one channel, or one. */
export async function endReminders(
  tx: Tx,
  projectId: string,
  reportId: string,
  { only = null, channel = null, ...ending }: Ending & { readonly only?: string | null; readonly channel?: Channel | null },
  now: Date,
): Promise<number> {
  const open = await tx.rows<OpenReminder>(
    `${OPEN_REMINDERS} AND report_id = $2 AND ($3::uuid IS NULL OR reminder_id = $3) AND ($4::text IS NULL OR channel = $4)
      ORDER BY reminder_id FOR UPDATE`,
    [projectId, reportId, only, channel],
  );
  return endOpen(tx, open, ending, now);
}

export interface DueReminder {
  readonly reminderId: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly channel: Channel;
  readonly receiverDigest: Buffer;
  readonly consentAt: Date;
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
               receiver_digest AS "receiverDigest", consent_at AS "consentAt", consent_language AS language, due_at AS "dueAt", time_zone AS "timeZone"`,
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

export const markSent = (tx: Tx, reminderId: string, messageId: string, now: Date): Promise<number> =>
  tx.execute(`UPDATE reminders SET state = 'sent', message_id = $2, ended_at = $3 WHERE reminder_id = $1`, [reminderId, messageId, now]);

const REOPEN = `
  WITH unsent AS (
    SELECT DISTINCT ON (failed.project_id, failed.report_id, reason) reminder_id, message_id,
           date_trunc('day', failed.ended_at AT TIME ZONE coalesce(time_zone, $4)) AS day, coalesce(time_zone, $4) AS zone
      FROM messages AS failed JOIN reminders USING (message_id) JOIN projects ON projects.project_id = failed.project_id
     WHERE failed.kind = 'reminder' AND failed.state = 'failed' AND failed.failure IN ('unavailable', 'expired')
       AND failed.ended_at > $1 AND reminders.state = 'sent' AND NOT EXISTS (
         SELECT FROM reminders AS other
          WHERE other.project_id = failed.project_id AND other.report_id = failed.report_id AND other.reason = reminders.reason
            AND other.state = 'planned')
     LIMIT $2)
  UPDATE reminders SET state = 'planned', ended_at = NULL, message_id = NULL, next_at = greatest($3, (day + interval '1 day') AT TIME ZONE zone)
    FROM unsent
   WHERE reminders.reminder_id = unsent.reminder_id AND reminders.message_id = unsent.message_id AND state = 'sent'
  RETURNING reminders.reminder_id`;

/** Those whose message the provider has certainly not taken are planned for the day after. Returns how many. */
export async function reopenUnsent(database: Database, since: Date, limit: number, now: Date, usualZone: string): Promise<number> {
  return (await database.systemQuery(REOPEN, [since, limit, now, usualZone])).length;
}
