import { newId } from '@tire/kernel';
import { sealedColumn, type Database, type SealingKeys, type Tx } from '@tire/platform';
import type { Attempted, Step } from '../domain/sending';
import type { Channel } from './carrier';

export type MessageKind = 'invitation' | 'password_reset' | 'alert' | 'report' | 'reminder';

export interface NewMessage {
  /** Whose turn a message takes: a project, an organization or a user. */
  readonly owner: string;
  readonly projectId?: string;
  readonly reportId?: string;
  readonly kind: MessageKind;
  readonly channel: Channel;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly stopUrl?: string;
  readonly expiresAt: Date;
  readonly createdBy?: string;
}

export interface ClaimedMessage extends Attempted {
  readonly messageId: string;
  readonly owner: string;
  readonly channel: Channel;
  readonly receiver: Buffer;
  readonly content: Buffer;
}

export const MESSAGE_RECEIVER = sealedColumn({ table: 'messages', column: 'receiver', key: ['message_id'], ofProject: false });
export const MESSAGE_CONTENT = sealedColumn({ table: 'messages', column: 'content', key: ['message_id'], ofProject: false });

type Content = Pick<NewMessage, 'subject' | 'text' | 'stopUrl'>;

const rowOf = (messageId: string) => ({ projectId: null, id: messageId });

export const openReceiver = (keys: SealingKeys, messageId: string, receiver: Buffer): string =>
  MESSAGE_RECEIVER.open(keys, rowOf(messageId), receiver).toString();

export function openMessage(keys: SealingKeys, { messageId, receiver, content }: ClaimedMessage) {
  const opened = JSON.parse(MESSAGE_CONTENT.open(keys, rowOf(messageId), content).toString()) as Content;
  return { id: messageId, to: openReceiver(keys, messageId, receiver), ...opened };
}

export async function insertMessage(tx: Tx, keys: SealingKeys, message: NewMessage, now: Date): Promise<string> {
  const { owner, projectId = null, reportId = null, kind, channel, to, subject, text, stopUrl, expiresAt, createdBy = null } = message;
  const messageId = newId(now.getTime());
  const receiver = MESSAGE_RECEIVER.seal(keys, rowOf(messageId), to);
  const content = MESSAGE_CONTENT.seal(keys, rowOf(messageId), JSON.stringify({ subject, text, stopUrl } satisfies Content));
  await tx.execute(
    `INSERT INTO messages (message_id, owner, project_id, report_id, kind, channel, state, receiver, content, next_at, expires_at,
       created_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, $8, $9, $10, $9, $11)`,
    [messageId, owner, projectId, reportId, kind, channel, receiver, content, now, expiresAt, createdBy],
  );
  return messageId;
}

/** What an owner may have under way in one process. */
export const OF_OWNER_MAX = 4;

/**
 * One message of each owner in turn, the one that waits the longest first; an owner gets no more than its places. The owners come from the
 * index, one step for each: a project with a long queue costs no more than one with a short queue.
 */
const CLAIM = `
  WITH RECURSIVE owners AS (
    (SELECT owner FROM messages WHERE state = 'queued' ORDER BY owner LIMIT 1)
    UNION ALL
    SELECT (SELECT owner FROM messages WHERE state = 'queued' AND messages.owner > owners.owner ORDER BY owner LIMIT 1)
      FROM owners WHERE owners.owner IS NOT NULL
  ),
  due AS (
    SELECT message_id, next_at, turn FROM owners
      LEFT JOIN unnest($3::uuid[], $4::int[]) AS busy (owner, under_way) USING (owner)
      CROSS JOIN LATERAL (
        SELECT message_id, next_at, row_number() OVER (ORDER BY next_at, message_id) AS turn FROM messages
         WHERE messages.owner = owners.owner AND state = 'queued' AND next_at <= $1 AND channel = ANY($6)
         ORDER BY next_at, message_id LIMIT greatest(0, ${OF_OWNER_MAX} - coalesce(busy.under_way, 0))
      ) AS first
     WHERE owners.owner IS NOT NULL
     ORDER BY turn, next_at LIMIT $2
  ),
  taken AS (
    SELECT message_id FROM messages
     WHERE message_id IN (SELECT message_id FROM due) AND state = 'queued' AND next_at <= $1 FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE messages SET attempts = attempts + 1, unknown_outcomes = unknown_outcomes + under_way::int, under_way = true, next_at = $5
   WHERE message_id IN (SELECT message_id FROM taken)
  RETURNING message_id AS "messageId", owner, channel, receiver, content, attempts, unknown_outcomes AS "unknownOutcomes",
            expires_at AS "expiresAt"`;

interface Claim {
  readonly now: Date;
  readonly places: number;
  /** How many messages of an owner are under way in this process. */
  readonly busy: ReadonlyMap<string, number>;
  /** From then on another process may take the message again. */
  readonly leaseUntil: Date;
  readonly channels: readonly Channel[];
}

export const claimMessages = (database: Database, { now, places, busy, leaseUntil, channels }: Claim): Promise<ClaimedMessage[]> =>
  database.systemQuery(CLAIM, [now, places, [...busy.keys()], [...busy.values()], leaseUntil, [...channels]]);

/** A report's message keeps its receiver, sealed, so that members see to whom it went; of others nothing stays. */
const END = `content = NULL, under_way = false, receiver = CASE WHEN report_id IS NULL THEN NULL ELSE receiver END`;

const SETTLE = `
  UPDATE messages SET state = $3, failure = $4, ended_at = $5, reference = $6, ${END}
   WHERE message_id = $1 AND attempts = $2 AND state = 'queued' RETURNING message_id`;

const POSTPONE = `
  UPDATE messages SET next_at = $3, under_way = false, unknown_outcomes = unknown_outcomes + $4
   WHERE message_id = $1 AND attempts = $2 AND state = 'queued' RETURNING message_id`;

/** Does nothing if the message was stopped meanwhile, or if a later attempt began. */
export async function settle(database: Database, message: ClaimedMessage, step: Step, isUnknown: boolean, now: Date): Promise<void> {
  const { messageId, attempts } = message;
  if (step.state === 'queued') await database.systemQuery(POSTPONE, [messageId, attempts, step.nextAt, isUnknown ? 1 : 0]);
  else {
    const failure = step.state === 'failed' ? step.failure : null;
    const reference = step.state === 'sent' ? step.reference : null;
    await database.systemQuery(SETTLE, [messageId, attempts, step.state, failure, now, reference]);
  }
}

/** Those that wait. */
export const stopMessagesById = (tx: Tx, messageIds: readonly string[], now: Date): Promise<number> =>
  tx.execute(
    `UPDATE messages SET state = 'stopped', content = NULL, under_way = false, ended_at = $2 WHERE message_id = ANY($1) AND state = 'queued'`,
    [messageIds, now],
  );

const END_EXPIRED = `
  UPDATE messages SET state = 'failed', ended_at = $1, ${END},
         failure = CASE WHEN under_way OR unknown_outcomes > 0 THEN 'interrupted' ELSE 'expired' END
   WHERE message_id IN (
     SELECT message_id FROM messages
      WHERE state = 'queued' AND expires_at < $1 AND next_at <= $1 AND channel <> ALL($2)
      ORDER BY message_id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING message_id`;

/** Those that this process has no carrier for: a sender would end them. Not while another process sends one. Returns how many. */
export async function endExpired(database: Database, now: Date, carried: readonly Channel[], limit: number): Promise<number> {
  return (await database.systemQuery(END_EXPIRED, [now, [...carried], limit])).length;
}

const FORGET = `
  DELETE FROM messages WHERE message_id IN (
    SELECT message_id FROM messages WHERE ended_at < $1 AND project_id IS NULL ORDER BY ended_at LIMIT $2) RETURNING message_id`;

/** Of accounts and organizations: those of a project go after the time that it chose. Returns how many it removed. */
export async function forgetMessages(database: Database, before: Date, limit: number): Promise<number> {
  return (await database.systemQuery(FORGET, [before, limit])).length;
}

export interface SentRow {
  readonly messageId: string;
  readonly kind: string;
  readonly channel: Channel;
  readonly receiver: Buffer | null;
  readonly reference: string | null;
  readonly state: string;
  readonly failure: string | null;
  readonly attempts: number;
  readonly sentBy: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const LISTED_MAX = 50;

export const listMessages = (tx: Tx, projectId: string, reportId: string): Promise<SentRow[]> =>
  tx.rows(
    `SELECT message_id AS "messageId", kind, channel, receiver, reference, state, failure, attempts, users.name AS "sentBy", messages.created_at AS "createdAt",
            ended_at AS "endedAt"
       FROM messages LEFT JOIN users ON users.user_id = created_by
      WHERE project_id = $1 AND report_id = $2 ORDER BY message_id DESC LIMIT ${LISTED_MAX}`,
    [projectId, reportId],
  );

/** A report has one of a kind and channel at most. */
export async function hasQueuedMessage(
  tx: Tx,
  projectId: string,
  reportId: string,
  kind: 'report' | 'reminder',
  channel: Channel,
): Promise<boolean> {
  const rows = await tx.rows(
    `SELECT FROM messages WHERE project_id = $1 AND report_id = $2 AND kind = $3 AND channel = $4 AND state = 'queued'`,
    [projectId, reportId, kind, channel],
  );
  return rows.length > 0;
}
