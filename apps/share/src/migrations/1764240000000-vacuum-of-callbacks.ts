import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Callbacks are a queue whose rows stay: each look at what is due passes the entries of what was due since the last vacuum. By default that
 * comes after a fifth of all rows, ever later, and leaves the indexes alone where few pages changed. See decision 14.
 */
export class VacuumOfCallbacks1764240000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE callbacks SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, vacuum_index_cleanup = on)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE callbacks RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, vacuum_index_cleanup)',
    );
  }
}
