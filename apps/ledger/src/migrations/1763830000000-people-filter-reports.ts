import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is rare among a million is found without reading the others: each way of creation with each status is a piece of one index. */
export class PeopleFilterReports1763830000000 implements MigrationInterface {
  name = 'PeopleFilterReports1763830000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX reports_filtered ON reports (project_id, creation_mode, analysis_status, created_at DESC, report_id DESC)
        WHERE discarded_at IS NULL AND purge_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX reports_filtered');
  }
}
