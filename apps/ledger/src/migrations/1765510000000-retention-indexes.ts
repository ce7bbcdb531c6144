import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * After the migration that adds the columns, because that one locks out reads until it ends: an index is built while only writes wait. Held
 * reports are few, so they have an index of their own, as those have that are being removed; without statistics, the planner does not know that.
 */
export class RetentionIndexes1765510000000 implements MigrationInterface {
  name = 'RetentionIndexes1765510000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX reports_held ON reports (project_id, report_id) WHERE legal_hold_at IS NOT NULL;
      CREATE INDEX reports_purging ON reports (purge_at) WHERE purge_at IS NOT NULL;
      ANALYZE reports (legal_hold_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX reports_held, reports_purging');
  }
}
