import { SANDBOX_NAMES, sandboxPhotograph } from '@tire/kernel';
import type { Database } from '@tire/platform';
import { SANDBOX_KIND } from '../domain/work';

/** A slot whose well-known photograph has its result now. */
export interface DueAnswer {
  readonly projectId: string;
  readonly reportId: string;
  readonly slotId: string;
  readonly analysisId: string;
  /** The name of the photograph. */
  readonly sandbox: string;
  /** How often it was measured in this slot before. */
  readonly before: number;
}

const WAITS = `work_kind = '${SANDBOX_KIND}' AND queued_at IS NOT NULL AND handover_at IS NULL`;

/**
 * No photograph is this late on purpose, also where two clocks differ by a minute. A clock that was ahead and was set back has queued what
 * waits longer. It is due too. An instance whose own clock is behind goes by that of Postgres.
 */
const LATE_S_MAX = Math.max(...SANDBOX_NAMES.map((name) => sandboxPhotograph(name).afterMs ?? 0)) / 1000 + 60;

const waiting = (condition: string): string => `
        (SELECT project_id, report_id, slot_id, analysis_id, sandbox, queued_at FROM slots s
          WHERE ${WAITS} AND s.project_id = projects.project_id AND ${condition} ORDER BY queued_at LIMIT $2)`;

/**
 * Projects take turns, and `projects` jumps from one to the next in the index: its time does not grow with what one of them has waiting.
 *
 * $1 now, $2 how many of each project and altogether, $3 the name that stands in front of a photograph's in place of a model.
 */
const SELECT_DUE = `
  WITH RECURSIVE projects AS (
    (SELECT project_id FROM slots WHERE ${WAITS} ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT project_id FROM slots WHERE ${WAITS} AND project_id > last.project_id ORDER BY project_id LIMIT 1)
      FROM projects last WHERE last.project_id IS NOT NULL
  ), due AS (
    SELECT slot.*, row_number() OVER (PARTITION BY slot.project_id ORDER BY queued_at, report_id, slot_id) AS place
      FROM projects, LATERAL (${waiting('queued_at <= $1::timestamptz')}
        UNION ALL ${waiting(`queued_at > greatest($1::timestamptz, statement_timestamp()) + interval '${LATE_S_MAX} s'`)}) slot
  )
  SELECT project_id AS "projectId", report_id AS "reportId", slot_id AS "slotId", analysis_id AS "analysisId", sandbox,
         (SELECT count(*)::int FROM analyses a
           WHERE a.report_id = due.report_id AND a.slot_id = due.slot_id AND a.model = $3 || due.sandbox) AS before
    FROM due ORDER BY place, queued_at LIMIT $2`;

export const dueAnswers = (database: Database, now: Date, most: number, model: string): Promise<DueAnswer[]> =>
  database.systemQuery<DueAnswer>(SELECT_DUE, [now, most, model]);
