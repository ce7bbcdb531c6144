import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times are kept to the millisecond, and so is how far was counted. */
const NOW = `date_trunc('milliseconds', now())`;

/**
 * Usage is counted by day as it happens, so that nobody counts a million reports to look at it. What is here already is counted once, by
 * the day of its report. A plate is found by its end, then compared whole: of two indexes one was enough.
 */
export class Usage1763820000000 implements MigrationInterface {
  name = 'Usage1763820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX reports_plate;
      ALTER TABLE reports ADD COLUMN images_at_creation smallint;
      CREATE INDEX report_history_time ON report_history USING brin (at) WITH (autosummarize = on);
      CREATE TABLE usage_days (
        project_id uuid NOT NULL,
        day date NOT NULL,
        measure text COLLATE "C" NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (project_id, day, measure)
      );
      CREATE TABLE usage_counted (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        until timestamptz NOT NULL
      );
      INSERT INTO usage_counted (until) VALUES (${NOW})`);
    await projectTable(queryRunner, 'usage_days', 'SELECT, INSERT, UPDATE');
    await grantRuntime(queryRunner, 'usage_counted', 'SELECT, UPDATE (until)');
    await queryRunner.query(`SELECT set_config('app.scope', 'system', true)`);
    await queryRunner.query(COUNT_WHAT_IS_THERE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE usage_counted, usage_days;
      DROP INDEX report_history_time;
      ALTER TABLE reports DROP COLUMN images_at_creation;
      CREATE INDEX reports_plate ON reports (project_id, plate_key, created_at DESC, report_id DESC) WHERE plate_key IS NOT NULL`);
  }
}

const DAY = `(created_at AT TIME ZONE 'UTC')::date`;

const COUNT_WHAT_IS_THERE = `
  INSERT INTO usage_days (project_id, day, measure, count)
  SELECT project_id, ${DAY}, 'reports', count(*) FROM reports WHERE created_at < ${NOW} GROUP BY 1, 2
  UNION ALL
  SELECT reports.project_id, ${DAY}, 'images', count(*) FROM reports JOIN slots USING (report_id)
   WHERE created_at < ${NOW} AND asset_id IS NOT NULL GROUP BY 1, 2
  UNION ALL
  SELECT reports.project_id, ${DAY}, 'failed:' || (analysis->'error'->>'code'), count(*) FROM reports JOIN slots USING (report_id)
   WHERE created_at < ${NOW} AND phase = 'failed' AND analysis->'error'->>'code' IS NOT NULL GROUP BY 1, 2, 3`;
