import type { Database, Tx } from '@tire/platform';
import { endOpen, OPEN_REMINDERS, type OpenReminder } from './reminders.store';

export interface StopLink {
  readonly stopDigest: Buffer;
  readonly projectId: string;
  /** Of the address and the number that the customer had when the reminder was sent. */
  readonly receiverDigests: readonly Buffer[];
}

/** It does not go with the customer: who was removed can still stop what another report plans. */
export const insertStopLink = (tx: Tx, { stopDigest, projectId, receiverDigests }: StopLink, now: Date): Promise<number> =>
  tx.execute('INSERT INTO reminder_stop_links (stop_digest, project_id, receiver_digests, sent_at) VALUES ($1, $2, $3, $4)', [
    stopDigest,
    projectId,
    receiverDigests,
    now,
  ]);

const FORGET = `
  DELETE FROM reminder_stop_links
   WHERE stop_digest IN (SELECT stop_digest FROM reminder_stop_links WHERE sent_at < $1 ORDER BY sent_at LIMIT $2)
  RETURNING stop_digest`;

export const forgetStopLinks = (database: Database, before: Date, limit: number): Promise<unknown[]> =>
  database.systemQuery(FORGET, [before, limit]);

/** When the receiver stopped reminders of the project. */
export async function findStop(tx: Tx, projectId: string, receiverDigest: Buffer): Promise<Date | null> {
  const sql = 'SELECT stopped_at AS "stoppedAt" FROM reminder_stops WHERE project_id = $1 AND receiver_digest = $2';
  const [row] = await tx.rows<{ stoppedAt: Date }>(sql, [projectId, receiverDigest]);
  return row?.stoppedAt ?? null;
}

const RECORD = `
  INSERT INTO reminder_stops (project_id, receiver_digest, stopped_at)
  SELECT $1, digest, $3 FROM unnest($2::bytea[]) AS digest ORDER BY digest
  ON CONFLICT (project_id, receiver_digest) DO UPDATE SET stopped_at = greatest(reminder_stops.stopped_at, excluded.stopped_at)`;

/**
 * All reminders of the project to the receiver of the one with this token, also those that wait in the outbox. A reminder that a runner sends
 * at the same time is locked until its message is in the outbox, and then seen here. The stop stays: one that was agreed to before it is not sent.
 */
export async function stopByReceiver(database: Database, stopDigest: Buffer, now: Date): Promise<void> {
  const [link] = await database.systemQuery<Omit<StopLink, 'stopDigest'>>(
    'SELECT project_id AS "projectId", receiver_digests AS "receiverDigests" FROM reminder_stop_links WHERE stop_digest = $1',
    [stopDigest],
  );
  if (!link) return;
  const { projectId, receiverDigests } = link;
  await database.withProject(projectId, async (tx) => {
    await tx.execute(RECORD, [projectId, receiverDigests, now]);
    const sql = `${OPEN_REMINDERS} AND receiver_digest = ANY($2::bytea[]) ORDER BY reminder_id FOR UPDATE`;
    await endOpen(tx, await tx.rows<OpenReminder>(sql, [projectId, receiverDigests]), { state: 'stopped', because: 'receiver' }, now);
  });
}
