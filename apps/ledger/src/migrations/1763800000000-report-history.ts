import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened to a report, one row a command: written and never changed. Of the creation, which must not cost a statement more, what
 * cannot be told from the report stands in its own row. A trace id has the 128 bits of a uuid.
 */
export class ReportHistory1763800000000 implements MigrationInterface {
  name = 'ReportHistory1763800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE reports ADD COLUMN created_by text, ADD COLUMN creation_trace_id uuid;
      CREATE TABLE report_history (
        report_id uuid NOT NULL REFERENCES reports,
        entry bigint GENERATED ALWAYS AS IDENTITY,
        project_id uuid NOT NULL,
        at timestamptz NOT NULL,
        actor text NOT NULL,
        trace_id uuid,
        happenings json NOT NULL,
        PRIMARY KEY (report_id, entry)
      )`);
    await projectTable(queryRunner, 'report_history', 'SELECT, INSERT, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE report_history; ALTER TABLE reports DROP COLUMN created_by, DROP COLUMN creation_trace_id');
  }
}
