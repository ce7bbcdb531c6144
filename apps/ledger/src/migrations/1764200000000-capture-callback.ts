import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The end of a capture that the share service has noted, so that the fact is repeated until it has. */
export class CaptureCallback1764200000000 implements MigrationInterface {
  name = 'CaptureCallback1764200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE reports ADD COLUMN publication_capture_finished_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE reports DROP COLUMN publication_capture_finished_at');
  }
}
