import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One analysis revision may have several callbacks of different types. A project without a row in `chosen_events` gets report.completed only.
 * `last_analysis_status` is null for content that was held before this migration.
 */
export class ChosenEvents1764028800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE chosen_events (project_id uuid PRIMARY KEY, events text[] NOT NULL)`);
    await projectTable(queryRunner, 'chosen_events', 'SELECT, INSERT, UPDATE');
    await queryRunner.query(`ALTER TABLE publications ADD COLUMN last_analysis_status text`);
    // How many wait that were sent again limits a replay. Few do.
    await queryRunner.query(`CREATE INDEX callbacks_again ON callbacks (project_id) WHERE state = 'pending' AND tried_since IS NOT NULL`);
    await queryRunner.query(`
      ALTER TABLE callbacks
        DROP CONSTRAINT callbacks_report_id_analysis_revision_key, DROP CONSTRAINT callbacks_type_check, DROP CONSTRAINT callbacks_of_a_report,
        ADD CONSTRAINT callbacks_once UNIQUE (report_id, analysis_revision, type),
        ADD CONSTRAINT callbacks_type_check CHECK (type IN
          ('report.completed', 'report.partial', 'report.failed', 'content.ready', 'share.revoked', 'callback.test')),
        ADD CONSTRAINT callbacks_of_a_report CHECK
          (type = 'callback.test' OR (report_id IS NOT NULL AND (analysis_revision IS NOT NULL OR type = 'share.revoked')))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE chosen_events');
    await queryRunner.query('ALTER TABLE publications DROP COLUMN last_analysis_status');
    await queryRunner.query('DROP INDEX callbacks_again');
    await queryRunner.query(`
      ALTER TABLE callbacks
        DROP CONSTRAINT callbacks_once, DROP CONSTRAINT callbacks_type_check, DROP CONSTRAINT callbacks_of_a_report,
        ADD CONSTRAINT callbacks_report_id_analysis_revision_key UNIQUE (report_id, analysis_revision),
        ADD CONSTRAINT callbacks_type_check CHECK (type IN ('report.completed', 'callback.test')),
        ADD CONSTRAINT callbacks_of_a_report CHECK (type = 'callback.test' OR (report_id IS NOT NULL AND analysis_revision IS NOT NULL))`);
  }
}
