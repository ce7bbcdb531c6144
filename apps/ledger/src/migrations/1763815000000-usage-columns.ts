import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What waits for all that use reports, and lets them wait, by itself: counting what is there takes long and comes after it. A plate is
 * found by its end, then compared whole: of two indexes one was enough.
 */
export class UsageColumns1763815000000 implements MigrationInterface {
  name = 'UsageColumns1763815000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX IF EXISTS reports_plate;
      ALTER TABLE reports ADD COLUMN IF NOT EXISTS images_at_creation smallint;
      CREATE INDEX IF NOT EXISTS report_history_time ON report_history USING brin (at) WITH (autosummarize = on)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX report_history_time;
      ALTER TABLE reports DROP COLUMN images_at_creation;
      CREATE INDEX reports_plate ON reports (project_id, plate_key, created_at DESC, report_id DESC) WHERE plate_key IS NOT NULL`);
  }
}
