import type { ledgerApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';

const DAY = `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const CREATED = `project_id = $1 AND created_at >= $2 AND created_at < $3`;

const REPORTS_BY_DAY = `SELECT ${DAY} AS day, count(*)::int AS count FROM reports WHERE ${CREATED} GROUP BY 1 ORDER BY 1`;

/** Code null: a photograph that is measured, or will be. */
const IMAGES_BY_DAY = `
  SELECT ${DAY} AS day, CASE WHEN phase = 'failed' THEN analysis->'error'->>'code' END AS code, count(*)::int AS count
    FROM (SELECT report_id, created_at FROM reports WHERE ${CREATED}) created JOIN slots USING (report_id)
   WHERE asset_id IS NOT NULL GROUP BY 1, 2`;

const MOMENTS = `
  SELECT created_at AS at, 'created' AS what, NULL AS status, NULL::uuid AS revision FROM reports
   WHERE report_id = $1 AND discarded_at IS NULL AND purge_at IS NULL
  UNION ALL
  SELECT completed_at, 'analysis_ended', status, revision_id FROM analysis_revisions WHERE report_id = $1
  UNION ALL
  SELECT published_at, 'published', NULL, NULL FROM reports WHERE report_id = $1 AND published_at IS NOT NULL
  ORDER BY at, what DESC`;

interface Counted {
  readonly day: string;
  readonly code?: string | null;
  readonly count: number;
}

interface MomentRow {
  readonly at: Date;
  readonly what: string;
  readonly status: string | null;
  readonly revision: string | null;
}

const DAY_MS = 86_400_000;

/** What is told of many reports, or of the past of one. */
@Injectable()
export class ReportStatistics {
  constructor(private readonly database: Database) {}

  async usage({ projectId, fromDay, toDay }: ledgerApi.GetUsageRequest): Promise<ledgerApi.GetUsageResponse> {
    const [fromMs, toMs] = [Date.parse(fromDay), Date.parse(toDay)];
    if (Number.isNaN(fromMs) || Number.isNaN(toMs)) throw new DomainError('validation_error', { param: 'from' });
    const period = [projectId, new Date(fromMs), new Date(toMs + DAY_MS)];
    const [reports, images] = await Promise.all(
      [REPORTS_BY_DAY, IMAGES_BY_DAY].map((sql) => this.database.projectQuery<Counted>(projectId, sql, period)),
    );
    const days = new Map(
      reports!.map(({ day, count }) => [day, { day, reports: count, images: 0, failures: {} as Record<string, number> }]),
    );
    for (const { day, code, count } of images!) {
      const counted = days.get(day);
      if (!counted) continue;
      counted.images += count;
      if (typeof code === 'string') counted.failures[code] = count;
    }
    return { days: [...days.values()] };
  }

  async history({ projectId, reportId }: ledgerApi.GetReportHistoryRequest): Promise<ledgerApi.GetReportHistoryResponse> {
    const rows = isUuid(reportId) ? await this.database.projectQuery<MomentRow>(projectId, MOMENTS, [reportId]) : [];
    if (!rows.some(({ what }) => what === 'created')) throw new DomainError('not_found');
    return {
      moments: rows.map(({ at, what, status, revision }) => ({
        at: at.toISOString(),
        what,
        status: status ?? undefined,
        analysisRevision: revision ?? undefined,
      })),
    };
  }
}
