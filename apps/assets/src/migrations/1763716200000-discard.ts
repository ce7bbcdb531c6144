import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Discard1763716200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // sweep_after is null once that was done: then only the tombstone stays.
    await queryRunner.query(`
      CREATE TABLE discarded_reports (
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        discarded_at timestamptz NOT NULL,
        sweep_after timestamptz,
        PRIMARY KEY (project_id, report_id)
      )`);
    await queryRunner.query('CREATE INDEX discarded_reports_to_sweep ON discarded_reports (sweep_after) WHERE sweep_after IS NOT NULL');
    await projectTable(queryRunner, 'discarded_reports', 'SELECT, INSERT, UPDATE (sweep_after)');
    await grantRuntime(queryRunner, 'assets', 'DELETE');
    // Null for rows of a release that did not record it: such an asset is an upload where an upload lies in the store.
    await queryRunner.query(`ALTER TABLE assets ADD COLUMN origin text CHECK (origin IN ('upload', 'url'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE assets DROP COLUMN origin');
    await queryRunner.query('DROP TABLE discarded_reports');
  }
}
