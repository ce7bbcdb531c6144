import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A discarded publication is a status of its own. The row stays: its links must go on saying that the report is gone. */
export class Discard1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE publications DROP CONSTRAINT publications_status_check;
      ALTER TABLE publications ADD CONSTRAINT publications_status_check
        CHECK (status IN ('absent', 'held', 'unpublished', 'published', 'revoked', 'discarded'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM publications WHERE status = 'discarded';
      ALTER TABLE publications DROP CONSTRAINT publications_status_check;
      ALTER TABLE publications ADD CONSTRAINT publications_status_check
        CHECK (status IN ('absent', 'held', 'unpublished', 'published', 'revoked'))`);
  }
}
