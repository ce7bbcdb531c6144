import type { ledgerApi } from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database, logger, Repeating } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../tokens';

const COUNT_EVERY_MS = 60_000;
/** Longer than any transaction may take: what happened before that is there to be counted. */
const SETTLED_AFTER_MS = 120_000;
/** What one statement counts, should nobody have counted for long. */
const PERIOD_MS_MAX = 86_400_000;

const FAILED = 'failed:';

const MEASURED = `CASE happening->>'what' WHEN 'slot_failed' THEN '${FAILED}' || (happening->>'errorCode') ELSE 'images' END`;
const IS_MEASURED = `happening->>'what' IN ('image_registered', 'image_attached', 'slot_failed')`;

/** A process of the release before does not write how many came with the creation; those that came later stand in the history. */
const IMAGES = `COALESCE(images_at_creation, CASE intake WHEN 'partner_url' THEN
  (SELECT count(*) FROM slots WHERE slots.report_id = created.report_id AND asset_id IS NOT NULL) END)`;

/** What happened, each with its time. A creation stands in the row of its report, all else in the history; what was imported happened elsewhere. */
const happened = (reports: string, when: (time: string) => string): string => `
  SELECT project_id, created_at AS at, 'reports' AS measure, 1 AS count FROM ${reports} created WHERE ${when('created_at')} AND NOT legacy
  UNION ALL
  SELECT project_id, created_at, 'images', images FROM (
    SELECT project_id, created_at, ${IMAGES} AS images FROM ${reports} created WHERE ${when('created_at')} AND NOT legacy
  ) with_images WHERE images > 0
  UNION ALL
  SELECT project_id, at, ${MEASURED}, 1 FROM report_history, json_array_elements(happenings) AS happening
   WHERE ${when('at')} AND ${IS_MEASURED}`;

const inPeriod = (time: string): string => `${time} >= $1 AND ${time} < $2`;

/** The index of reports by time begins with their project, so each project is looked up in it by itself. */
const CREATED = `
  (WITH RECURSIVE projects AS (
     (SELECT project_id FROM reports ORDER BY project_id LIMIT 1)
     UNION ALL
     SELECT (SELECT later.project_id FROM reports later WHERE later.project_id > projects.project_id ORDER BY later.project_id LIMIT 1)
       FROM projects WHERE projects.project_id IS NOT NULL
   )
   SELECT of_project.* FROM projects CROSS JOIN LATERAL (
     SELECT project_id, created_at, report_id, legacy, intake, images_at_creation FROM reports
      WHERE reports.project_id = projects.project_id AND ${inPeriod('created_at')}
   ) of_project)`;

const COUNT = `
  INSERT INTO usage_days (project_id, day, measure, count)
  SELECT project_id, (at AT TIME ZONE 'UTC')::date, measure, sum(count) FROM (${happened(CREATED, inPeriod)}) happened GROUP BY 1, 2, 3
  ON CONFLICT (project_id, day, measure) DO UPDATE SET count = usage_days.count + excluded.count`;

/**
 * What is not counted yet is counted as it goes. Meanwhile nobody moves how far was counted, and two of one project take the days in the
 * same order.
 */
const FORGET = `
  WITH counted AS (SELECT until FROM usage_counted FOR SHARE),
       gone AS (DELETE FROM report_history WHERE report_id = $1 RETURNING project_id, at, happenings)
  INSERT INTO usage_days (project_id, day, measure, count)
  SELECT project_id, (at AT TIME ZONE 'UTC')::date, ${MEASURED}, count(*) FROM gone, json_array_elements(happenings) AS happening
   WHERE at >= (SELECT until FROM counted) AND ${IS_MEASURED} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (project_id, day, measure) DO UPDATE SET count = usage_days.count + excluded.count`;

/** What a report used stays used when its history goes. */
export const forgetHistory = (tx: EntityManager, reportId: string): Promise<unknown> => tx.query(FORGET, [reportId]);

const COUNTED_UNTIL = 'SELECT until FROM usage_counted';

/**
 * The days that are counted, and the minutes since $4 that are not. That stands in the statement, so that the planner knows how few they
 * are; and the answer says until when was counted in the moment that it saw.
 */
const USAGE = `
  SELECT until, to_char(day, 'YYYY-MM-DD') AS day, measure, count FROM usage_counted LEFT JOIN (
    SELECT day, measure, sum(count)::int AS count FROM (
      SELECT day, measure, count FROM usage_days WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date
      UNION ALL
      SELECT (at AT TIME ZONE 'UTC')::date, measure, count
        FROM (${happened('reports', (time) => `project_id = $1 AND ${time} >= $4`)}) uncounted
    ) counted WHERE day BETWEEN $2::date AND $3::date GROUP BY 1, 2
  ) used ON true ORDER BY day`;

interface Counted {
  readonly until: Date;
  /** Null: nothing was used. */
  readonly day: string | null;
  readonly measure: string;
  readonly count: number;
}

/** What a project used, by day. How far was counted is moved with what was counted: nothing is counted twice, by whichever process. */
@Injectable()
export class ReportUsage implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns = new Repeating(COUNT_EVERY_MS, () => this.count(), logger('ledger.usage'));
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  async of({ projectId, fromDay, toDay }: ledgerApi.GetUsageRequest): Promise<ledgerApi.GetUsageResponse> {
    if (Number.isNaN(Date.parse(fromDay)) || Number.isNaN(Date.parse(toDay))) throw new DomainError('validation_error', { param: 'from' });
    const days = new Map<string, ledgerApi.UsageDay>();
    for (const { day, measure, count } of await this.used(projectId, fromDay, toDay)) {
      if (day === null) continue;
      const counted = days.get(day) ?? { day, reports: 0, images: 0, failures: {} };
      days.set(day, counted);
      if (measure === 'reports' || measure === 'images') counted[measure] = count;
      else counted.failures[measure.slice(FAILED.length)] = count;
    }
    return { days: [...days.values()] };
  }

  /** Asked again where somebody has counted in between, which happens once a minute. */
  private async used(projectId: string, fromDay: string, toDay: string): Promise<Counted[]> {
    const [counted] = await this.database.projectQuery<{ until: Date }>(projectId, COUNTED_UNTIL);
    for (let until = counted!.until; ;) {
      const rows = await this.database.projectQuery<Counted>(projectId, USAGE, [projectId, fromDay, toDay, until]);
      const seen = rows[0]!.until;
      if (seen.getTime() === until.getTime()) return rows;
      until = seen;
    }
  }

  /** Goes on while there is more: a pause of a month is made up for day by day. */
  async count(): Promise<void> {
    while (!this.stopped && (await this.countOnce()));
  }

  /** Whether there is more. What another process counts just now is left to it. */
  private countOnce(): Promise<boolean> {
    const settledMs = this.clock.now().getTime() - SETTLED_AFTER_MS;
    return this.database.asSystem(async (tx) => {
      const [counted] = await tx.query<{ until: Date }[]>('SELECT until FROM usage_counted FOR UPDATE SKIP LOCKED');
      const fromMs = counted?.until.getTime() ?? settledMs;
      if (fromMs >= settledMs) return false;
      const untilMs = Math.min(settledMs, fromMs + PERIOD_MS_MAX);
      await tx.query(COUNT, [new Date(fromMs), new Date(untilMs)]);
      await tx.query('UPDATE usage_counted SET until = $1', [new Date(untilMs)]);
      return untilMs < settledMs;
    });
  }
}
