import { Injectable } from '@nestjs/common';
import { Database } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import type { NextStep } from './domain/callback-schedule';

export interface QueuedCallback {
  readonly id: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly analysisRevision: string;
  readonly url: string;
  readonly body: string;
  readonly traceHeaders: Record<string, string>;
  readonly queuedAt: Date;
}

export interface ClaimedCallback extends QueuedCallback {
  readonly attempt: number;
}

export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
}

@Injectable()
export class CallbackStore {
  constructor(private readonly database: Database) {}

  /** Of a discarded report: nothing is sent any more, and what was to be said is gone. */
  async forget(tx: EntityManager, reportId: string): Promise<void> {
    await tx.query(
      `UPDATE callbacks SET body = '', url = '', state = CASE state WHEN 'pending' THEN 'abandoned' ELSE state END WHERE report_id = $1`,
      [reportId],
    );
  }

  async queue(tx: EntityManager, callback: QueuedCallback): Promise<void> {
    const { id, projectId, reportId, analysisRevision, url, body, traceHeaders, queuedAt } = callback;
    await tx.query(
      `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, body, trace_headers, queued_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT (report_id, analysis_revision) DO NOTHING`,
      [id, projectId, reportId, analysisRevision, url, body, JSON.stringify(traceHeaders), queuedAt],
    );
  }

  /** Those that are due, for this process alone until `claimedUntil`: a process that dies gives them back by the clock. */
  claim(limit: number, now: Date, claimedUntil: Date): Promise<ClaimedCallback[]> {
    return this.database.asSystem(async (tx) => {
      const [rows] = await tx.query<[ClaimedCallback[], number]>(
        `UPDATE callbacks SET claimed_until = $3, attempt_count = attempt_count + 1
         WHERE id IN (
           SELECT id FROM callbacks
           WHERE state = 'pending' AND next_attempt_at <= $2 AND (claimed_until IS NULL OR claimed_until <= $2)
           ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING id, project_id AS "projectId", report_id AS "reportId", analysis_revision AS "analysisRevision", url, body,
           trace_headers AS "traceHeaders", queued_at AS "queuedAt", attempt_count AS attempt`,
        [limit, now, claimedUntil],
      );
      return rows;
    });
  }

  settle(callback: ClaimedCallback, attempt: Attempt, next: NextStep): Promise<void> {
    return this.database.withProject(callback.projectId, async (tx) => {
      await tx.query(
        `INSERT INTO callback_attempts (callback_id, number, project_id, started_at, duration_ms, http_status, failure, answer)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          callback.id,
          callback.attempt,
          callback.projectId,
          attempt.startedAt,
          attempt.durationMs,
          attempt.httpStatus,
          attempt.failure,
          attempt.answer,
        ],
      );
      const state = next.kind === 'retry' ? 'pending' : next.kind;
      // A sender that outlived its claim, or the report, may still say that it was delivered, but not call for another attempt.
      await tx.query(
        `UPDATE callbacks SET state = $2, next_attempt_at = COALESCE($3, next_attempt_at), claimed_until = NULL
         WHERE id = $1 AND ((attempt_count = $4 AND state = 'pending') OR $2 = 'delivered')`,
        [callback.id, state, next.kind === 'retry' ? next.at : null, callback.attempt],
      );
    });
  }
}
