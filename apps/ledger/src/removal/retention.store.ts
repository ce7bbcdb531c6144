import type { Database } from '@tire/platform';

const SELECT_PURGEABLE = `
  SELECT project_id AS "projectId", report_id AS "reportId" FROM reports
  WHERE project_mode = 'test' AND purge_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT $2`;

export interface ReportName {
  readonly projectId: string;
  readonly reportId: string;
}

export const findPurgeable = (database: Database, createdBefore: Date, limit: number): Promise<ReportName[]> =>
  database.systemQuery<ReportName>(SELECT_PURGEABLE, [createdBefore, limit]);
