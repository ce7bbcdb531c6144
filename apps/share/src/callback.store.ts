import { Injectable } from '@nestjs/common';
import { batched, Database } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import type { NextStep } from './domain/callback-schedule';

interface Callback {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly body: string;
  readonly traceHeaders: Record<string, string>;
  readonly queuedAt: Date;
}

export type QueuedCallback = Callback &
  (
    | { readonly type: 'report.completed'; readonly reportId: string; readonly analysisRevision: string }
    | { readonly type: 'callback.test'; readonly reportId: null; readonly analysisRevision: null }
  );

export interface ClaimedCallback extends Callback {
  readonly type: QueuedCallback['type'];
  readonly reportId: string | null;
  readonly receiver: string;
  readonly attempt: number;
  /** Counted from when it was queued, or since a person sent it again. */
  readonly attemptOfSchedule: number;
  readonly triedSince: Date;
  /** Those that sign now, newest first; empty where the project never had one. */
  readonly secrets: readonly string[];
}

/** What may be begun now. */
export interface Room {
  readonly inAll: number;
  /** Of what was tried before. */
  readonly ofRetries: number;
  readonly ofReceivers: ReadonlyMap<string, number>;
}

export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
}

interface Settlement {
  readonly callback: Pick<ClaimedCallback, 'id' | 'attempt'>;
  readonly attempt: Attempt;
  readonly next: NextStep;
}

/**
 * Receivers that something is due for: of each that something waits for, the one that is due first, found by one descent of the
 * index. What this costs grows with their number, not with what waits.
 */
const SELECT_DUE = `
  WITH RECURSIVE first AS (
    (SELECT receiver, next_attempt_at FROM callbacks WHERE state = 'pending' ORDER BY receiver, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT following.* FROM first CROSS JOIN LATERAL (
      SELECT receiver, next_attempt_at FROM callbacks WHERE state = 'pending' AND receiver > first.receiver
      ORDER BY receiver, next_attempt_at LIMIT 1) following
  )
  SELECT receiver FROM first WHERE next_attempt_at <= $1 ORDER BY next_attempt_at`;

/**
 * Takes of each receiver what it has room for. A claim moves the time of the next attempt to its own end, so that what is under way
 * is not met again. Retries come after first tries, and have a part of the room at most.
 */
const CLAIM = `
  WITH fair AS (
    SELECT due.* FROM unnest($5::text[], $6::int[]) AS named (receiver, room) CROSS JOIN LATERAL (
      SELECT id, next_attempt_at, attempt_count > attempts_before AS retry FROM callbacks
      WHERE state = 'pending' AND receiver = named.receiver AND next_attempt_at <= $2 AND (claimed_until IS NULL OR claimed_until <= $2)
      ORDER BY next_attempt_at LIMIT named.room FOR UPDATE SKIP LOCKED) due
  ), ranked AS (
    SELECT id, next_attempt_at, retry, row_number() OVER (PARTITION BY retry ORDER BY next_attempt_at) AS place FROM fair
  ), chosen AS (
    SELECT id FROM ranked WHERE NOT retry OR place <= $4 ORDER BY retry, next_attempt_at LIMIT $1
  )
  UPDATE callbacks c SET claimed_until = $3, next_attempt_at = $3, attempt_count = attempt_count + 1
  FROM chosen WHERE c.id = chosen.id
  RETURNING c.id, type, project_id AS "projectId", report_id AS "reportId", receiver, url, body, trace_headers AS "traceHeaders",
    queued_at AS "queuedAt", attempt_count AS attempt, attempt_count - attempts_before AS "attemptOfSchedule",
    coalesce(tried_since, queued_at) AS "triedSince",
    ARRAY(SELECT s.secret FROM webhook_secrets s WHERE s.project_id = c.project_id AND (s.expires_at IS NULL OR s.expires_at > $2)
      ORDER BY s.created_at DESC) AS secrets`;

/**
 * A sender that outlived its claim, or the report, may still say that it was delivered, but not call for another attempt. Of a report
 * that was discarded meanwhile no answer is kept.
 */
const SETTLE = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::bytea[], $8::text[], $9::timestamptz[])
      AS g (id, number, started_at, duration_ms, http_status, failure, answer, state, next_attempt_at)
  ), recorded AS (
    INSERT INTO callback_attempts (callback_id, number, project_id, started_at, duration_ms, http_status, failure, answer)
    SELECT g.id, g.number, c.project_id, g.started_at, g.duration_ms, g.http_status, g.failure, CASE c.url WHEN '' THEN NULL ELSE g.answer END
    FROM given g JOIN callbacks c ON c.id = g.id
  )
  UPDATE callbacks c SET state = g.state, next_attempt_at = coalesce(g.next_attempt_at, c.next_attempt_at), claimed_until = NULL
  FROM given g WHERE c.id = g.id AND ((c.attempt_count = g.number AND c.state = 'pending') OR g.state = 'delivered')`;

const column = <T>(all: readonly Settlement[], of: (one: Settlement) => T): T[] => all.map(of);

@Injectable()
export class CallbackStore {
  /** Attempts that end together are written down together: a transaction for each would be most of what a callback costs. */
  private readonly settleSoon = batched((all: Settlement[]) => this.settleAll(all), {
    callsMax: 1,
    questionsPerCallMax: 256,
    waitingMax: 10_000,
    deadlineMs: 20_000,
  });

  constructor(private readonly database: Database) {}

  /** Of a discarded report: nothing is sent any more, and what was to be said and what was answered is gone. */
  async forget(tx: EntityManager, reportId: string): Promise<void> {
    await tx.query(
      `UPDATE callbacks SET body = '', url = '', trace_headers = '{}', state = CASE state WHEN 'pending' THEN 'abandoned' ELSE state END
       WHERE report_id = $1`,
      [reportId],
    );
    await tx.query(`UPDATE callback_attempts SET answer = NULL WHERE callback_id IN (SELECT id FROM callbacks WHERE report_id = $1)`, [
      reportId,
    ]);
  }

  /** Returns the receiver; nothing where it is queued already. */
  async queue(tx: EntityManager, callback: QueuedCallback): Promise<string | null> {
    const { id, projectId, type, reportId, analysisRevision, url, body, traceHeaders, queuedAt } = callback;
    const rows = await tx.query<{ receiver: string }[]>(
      `INSERT INTO callbacks (id, project_id, type, report_id, analysis_revision, url, body, trace_headers, queued_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT (report_id, analysis_revision) DO NOTHING RETURNING receiver`,
      [id, projectId, type, reportId, analysisRevision, url, body, JSON.stringify(traceHeaders), queuedAt],
    );
    return rows[0]?.receiver ?? null;
  }

  /** Those who wait longest first. */
  async dueReceivers(now: Date): Promise<string[]> {
    const rows = await this.database.systemQuery<{ receiver: string }>(SELECT_DUE, [now]);
    return rows.map(({ receiver }) => receiver);
  }

  /** Those that are due, for this process alone until `claimedUntil`: a process that dies gives them back by the clock. */
  claim({ inAll, ofRetries, ofReceivers }: Room, now: Date, claimedUntil: Date): Promise<ClaimedCallback[]> {
    const params = [inAll, now, claimedUntil, ofRetries, [...ofReceivers.keys()], [...ofReceivers.values()]];
    return this.database.systemQuery<ClaimedCallback>(CLAIM, params);
  }

  settle(callback: Settlement['callback'], attempt: Attempt, next: NextStep): Promise<void> {
    return this.settleSoon({ callback, attempt, next });
  }

  private async settleAll(all: Settlement[]): Promise<void[]> {
    await this.database.systemQuery(SETTLE, [
      column(all, ({ callback }) => callback.id),
      column(all, ({ callback }) => callback.attempt),
      column(all, ({ attempt }) => attempt.startedAt),
      column(all, ({ attempt }) => attempt.durationMs),
      column(all, ({ attempt }) => attempt.httpStatus),
      column(all, ({ attempt }) => attempt.failure),
      column(all, ({ attempt }) => attempt.answer),
      column(all, ({ next }) => (next.kind === 'retry' ? 'pending' : next.kind)),
      column(all, ({ next }) => (next.kind === 'retry' ? next.at : null)),
    ]);
    return all.map(() => undefined);
  }
}
