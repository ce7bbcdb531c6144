import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Slots and reports are queues whose rows stay: each look at what waits passes the entries of what has waited since the last vacuum. By default
 * that comes after a fifth of all rows, ever later, and leaves the indexes alone where few pages changed. See decision 14.
 */
export class VacuumOfQueues1764240000000 implements MigrationInterface {
  name = 'VacuumOfQueues1764240000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['slots', 'reports'])
      await queryRunner.query(
        `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, vacuum_index_cleanup = on)`,
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['slots', 'reports'])
      await queryRunner.query(
        `ALTER TABLE ${table} RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, vacuum_index_cleanup)`,
      );
  }
}
