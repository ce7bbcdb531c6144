import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A photograph that has ended has no address any more, and its bytes go a while later. */
export class Retention1765500000000 implements MigrationInterface {
  name = 'Retention1765500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE assets ADD COLUMN ended_at timestamptz');
    await grantRuntime(queryRunner, 'assets', 'UPDATE (ended_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE assets DROP COLUMN ended_at');
  }
}
