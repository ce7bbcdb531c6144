import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each way in which a person looks for reports is one index in the order in which they are shown, so that a page is a piece of it.
 * Columns and not expressions: under row-level security a function that is not leakproof keeps an index from being used.
 */
export class PeopleLookForReports1763780000000 implements MigrationInterface {
  name = 'PeopleLookForReports1763780000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE reports
        ADD COLUMN plate_key text GENERATED ALWAYS AS (replace(upper(plate_number), ' ', '')) STORED,
        ADD COLUMN plate_end text GENERATED ALWAYS AS (right(replace(upper(plate_number), ' ', ''), 4)) STORED;
      CREATE INDEX reports_newest ON reports (project_id, created_at DESC, report_id DESC);
      CREATE INDEX reports_vehicle ON reports (project_id, external_vehicle_id, created_at DESC, report_id DESC)
        WHERE external_vehicle_id IS NOT NULL;
      CREATE INDEX reports_plate ON reports (project_id, plate_key, created_at DESC, report_id DESC) WHERE plate_key IS NOT NULL;
      CREATE INDEX reports_plate_end ON reports (project_id, plate_end, created_at DESC, report_id DESC) WHERE plate_end IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX reports_newest, reports_vehicle; ALTER TABLE reports DROP COLUMN plate_key, DROP COLUMN plate_end');
  }
}
