import type { Tx } from '@tire/platform';

/** A report that may differ: one that changed after the time to which the service was restored that lost the most. */
export interface Candidate {
  readonly reportId: string;
  readonly projectId: string;
}

const CANDIDATES = `
  SELECT report_id AS "reportId", project_id AS "projectId" FROM reports
   WHERE report_id > $1 AND ($2::timestamptz IS NULL OR greatest(updated_at, discarded_at, purge_at) >= $2)
   ORDER BY report_id LIMIT $3`;

/** In the order of ids, so that a walk survives changes beside it. */
export const findCandidates = (tx: Tx, after: string, since: Date | null, limit: number): Promise<Candidate[]> =>
  tx.rows<Candidate>(CANDIDATES, [after, since, limit]);
