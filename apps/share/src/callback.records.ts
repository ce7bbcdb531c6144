import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface CallbackRecord {
  readonly id: string;
  readonly type: string;
  readonly reportId: string | null;
  readonly analysisRevision: string | null;
  readonly url: string;
  readonly body: string;
  readonly state: string;
  readonly queuedAt: Date;
  readonly nextAttemptAt: Date;
  readonly underWay: boolean;
  readonly attemptCount: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
}

export interface AttemptRecord {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
}

export interface UsageRow {
  /** Of the day, in the order in which they were asked for. */
  readonly index: number;
  readonly queued: number;
  readonly delivered: number;
}

export interface Page {
  readonly projectId: string;
  readonly reportId: string | null;
  readonly state: string | null;
  /** Only older ones than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** By the time that ids carry: the index alone tells it, and of a callback, which is kilobytes, nothing is read. */
export const USAGE_STATEMENT = `
  SELECT width_bucket(id, $2::uuid[]) - 1 AS index, count(*)::int AS queued, count(*) FILTER (WHERE state = 'delivered')::int AS delivered
    FROM callbacks WHERE project_id = $1 AND id >= $3 AND id < $4 GROUP BY 1 ORDER BY 1`;

const RECORD = `
  c.id, c.type, c.report_id AS "reportId", c.analysis_revision AS "analysisRevision", c.url, c.body, c.state, c.queued_at AS "queuedAt",
  c.next_attempt_at AS "nextAttemptAt", c.attempt_count AS "attemptCount", newest.http_status AS "httpStatus", newest.failure,
  coalesce(c.claimed_until > $1, false) AS "underWay"`;
const NEWEST = `
  LEFT JOIN LATERAL (SELECT http_status, failure FROM callback_attempts WHERE callback_id = c.id ORDER BY number DESC LIMIT 1) newest ON true`;

/** What a person sees of the callbacks of a project. */
@Injectable()
export class CallbackRecords {
  /** Newest first: ids carry their time. */
  list(tx: EntityManager, { projectId, reportId, state, before, limit }: Page, now: Date): Promise<CallbackRecord[]> {
    return tx.query<CallbackRecord[]>(
      `SELECT ${RECORD} FROM callbacks c ${NEWEST}
       WHERE c.project_id = $2 AND ($3::uuid IS NULL OR c.report_id = $3) AND ($4::text IS NULL OR c.state = $4)
         AND ($5::uuid IS NULL OR c.id < $5)
       ORDER BY c.id DESC LIMIT $6`,
      [now, projectId, reportId, state, before, limit],
    );
  }

  async find(tx: EntityManager, projectId: string, id: string, now: Date): Promise<CallbackRecord | null> {
    const sql = `SELECT ${RECORD} FROM callbacks c ${NEWEST} WHERE c.project_id = $2 AND c.id = $3`;
    return (await tx.query<CallbackRecord[]>(sql, [now, projectId, id]))[0] ?? null;
  }

  usage(tx: EntityManager, projectId: string, firstIds: readonly string[], before: string): Promise<UsageRow[]> {
    return tx.query<UsageRow[]>(USAGE_STATEMENT, [projectId, firstIds, firstIds[0], before]);
  }

  attempts(tx: EntityManager, id: string): Promise<AttemptRecord[]> {
    return tx.query<AttemptRecord[]>(
      `SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", http_status AS "httpStatus", failure, answer
       FROM callback_attempts WHERE callback_id = $1 ORDER BY number`,
      [id],
    );
  }

  /** Due at once, with the whole schedule before it; returns the receiver. What is under way is left to its outcome: twice at once helps nobody. */
  async sendAgain(tx: EntityManager, id: string, now: Date): Promise<string | null> {
    const [rows] = await tx.query<[{ receiver: string }[], number]>(
      `UPDATE callbacks SET state = 'pending', next_attempt_at = $2, claimed_until = NULL, tried_since = $2, attempts_before = attempt_count
       WHERE id = $1 AND url <> '' AND (claimed_until IS NULL OR claimed_until <= $2) RETURNING receiver`,
      [id, now],
    );
    return rows[0]?.receiver ?? null;
  }
}
