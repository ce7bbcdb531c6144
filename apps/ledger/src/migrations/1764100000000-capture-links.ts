import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The link with which somebody without a key takes the images of a report: the digest of its token, and the rest of it. */
export class CaptureLinks1764100000000 implements MigrationInterface {
  name = 'CaptureLinks1764100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE reports ADD COLUMN capture_digest bytea, ADD COLUMN capture_json text;
      CREATE INDEX reports_capture ON reports USING hash (capture_digest) WHERE capture_digest IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE reports DROP COLUMN capture_json, DROP COLUMN capture_digest');
  }
}
