import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times are kept to the millisecond, and so is how far was counted. What is written just now, nobody waits for: it is counted later. */
const SETTLED = `date_trunc('milliseconds', now()) - interval '2 minutes'`;

/**
 * Usage is counted by day as it happens, so that nobody counts a million reports to look at it. What is here already is counted once, by
 * the day of its report, but for what was imported: that was used elsewhere.
 */
export class Usage1763820000000 implements MigrationInterface {
  name = 'Usage1763820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
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
      INSERT INTO usage_counted (until) VALUES (${SETTLED})`);
    await projectTable(queryRunner, 'usage_days', 'SELECT, INSERT, UPDATE');
    await grantRuntime(queryRunner, 'usage_counted', 'SELECT, UPDATE (until)');
    await queryRunner.query(`SELECT set_config('app.scope', 'system', true)`);
    await queryRunner.query(COUNT_WHAT_IS_THERE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE usage_counted, usage_days');
  }
}

const DAY = `(created_at AT TIME ZONE 'UTC')::date`;

/** Slots of which something like that is counted later. */
const except = (...whats: readonly string[]): string => `
  (report_id, slot_id) NOT IN (
    SELECT report_id, happening->>'slotId' FROM report_history, json_array_elements(happenings) AS happening
     WHERE at >= ${SETTLED} AND happening->>'slotId' IS NOT NULL AND happening->>'what' IN ('${whats.join("', '")}'))`;

const COUNT_WHAT_IS_THERE = `
  INSERT INTO usage_days (project_id, day, measure, count)
  SELECT project_id, ${DAY}, 'reports', count(*) FROM reports WHERE created_at < ${SETTLED} AND NOT legacy GROUP BY 1, 2
  UNION ALL
  SELECT reports.project_id, ${DAY}, 'images', count(*) FROM reports JOIN slots USING (report_id)
   WHERE created_at < ${SETTLED} AND NOT legacy AND asset_id IS NOT NULL AND ${except('image_registered', 'image_attached')} GROUP BY 1, 2
  UNION ALL
  SELECT reports.project_id, ${DAY}, 'failed:' || (analysis->'error'->>'code'), count(*) FROM reports JOIN slots USING (report_id)
   WHERE created_at < ${SETTLED} AND NOT legacy AND phase = 'failed' AND analysis->'error'->>'code' IS NOT NULL
     AND ${except('slot_failed')} GROUP BY 1, 2, 3`;
