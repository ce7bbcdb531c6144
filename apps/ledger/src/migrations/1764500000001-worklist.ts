import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns of the worklist. Reports of before have read a result long ago; their standing is derived afterwards, in portions
 * (`StandingRepair`), which finds them by `reports_standing_unknown`. The index is empty when it has ended.
 * `reports_work` has each combination of the worklist's filters as a range in the order of a page.
 */
export class Worklist1764500000001 implements MigrationInterface {
  name = 'Worklist1764500000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE reports
        ADD COLUMN content_verdict text,
        ADD COLUMN content_verdict_of uuid,
        ADD COLUMN standing text NOT NULL DEFAULT 'unjudged',
        ADD COLUMN standing_at timestamptz,
        ADD COLUMN attention text NOT NULL DEFAULT 'read',
        ADD COLUMN handled_at timestamptz,
        ADD COLUMN handled_by text;
      ALTER TABLE reports ALTER COLUMN attention SET DEFAULT 'unread';
      CREATE INDEX reports_standing_unknown ON reports (report_id)
        WHERE standing_at IS DISTINCT FROM updated_at AND discarded_at IS NULL AND purge_at IS NULL;
      CREATE INDEX reports_work ON reports (project_id, standing, attention, creation_mode, created_at DESC, report_id DESC)
        WHERE discarded_at IS NULL AND purge_at IS NULL;
      CREATE INDEX reports_work_of_person ON reports
        (project_id, created_by, standing, attention, creation_mode, created_at DESC, report_id DESC)
        WHERE discarded_at IS NULL AND purge_at IS NULL AND created_by IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE reports DROP COLUMN handled_by, DROP COLUMN handled_at, DROP COLUMN attention, DROP COLUMN standing_at, DROP COLUMN standing,
        DROP COLUMN content_verdict_of, DROP COLUMN content_verdict`);
  }
}
