import type { ledgerApi } from '@tire/contracts';
import { DomainError } from '@tire/kernel';
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

interface Counted {
  readonly day: string;
  readonly code?: string | null;
  readonly count: number;
}

const DAY_MS = 86_400_000;

/** What is told of many reports. */
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
}
