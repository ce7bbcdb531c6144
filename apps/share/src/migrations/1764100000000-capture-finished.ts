import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The callback capture.finished, and the end of a capture that was announced. */
export class CaptureFinished1764100000000 implements MigrationInterface {
  name = 'CaptureFinished1764100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE publications ADD COLUMN capture_finished_at timestamptz;
      ALTER TABLE callbacks DROP CONSTRAINT callbacks_type_check, DROP CONSTRAINT callbacks_of_a_report;
      ALTER TABLE callbacks
        ADD CONSTRAINT callbacks_type_check CHECK (type IN ('report.completed', 'report.partial', 'report.failed', 'content.ready',
          'share.revoked', 'capture.finished', 'callback.test')),
        ADD CONSTRAINT callbacks_of_a_report CHECK (type = 'callback.test' OR
          (report_id IS NOT NULL AND (analysis_revision IS NOT NULL OR type IN ('share.revoked', 'capture.finished'))))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM callbacks WHERE type = 'capture.finished';
      ALTER TABLE callbacks DROP CONSTRAINT callbacks_type_check, DROP CONSTRAINT callbacks_of_a_report;
      ALTER TABLE callbacks
        ADD CONSTRAINT callbacks_type_check CHECK (type IN
          ('report.completed', 'report.partial', 'report.failed', 'content.ready', 'share.revoked', 'callback.test')),
        ADD CONSTRAINT callbacks_of_a_report CHECK (type = 'callback.test' OR
          (report_id IS NOT NULL AND (analysis_revision IS NOT NULL OR type = 'share.revoked')));
      ALTER TABLE publications DROP COLUMN capture_finished_at`);
  }
}
