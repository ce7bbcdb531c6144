import { grantRuntime, retentionTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a project keeps for how long, and what a legal hold keeps whatever the time. */
export class Retention1765500000000 implements MigrationInterface {
  name = 'Retention1765500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await retentionTable(queryRunner);
    await queryRunner.query(`
      ALTER TABLE reports
        ADD COLUMN has_ended_images boolean NOT NULL DEFAULT false,
        ADD COLUMN legal_hold_at timestamptz,
        ADD COLUMN legal_hold_by text,
        ADD COLUMN legal_hold_reason text;
      ALTER TABLE slots ADD COLUMN image_ended boolean NOT NULL DEFAULT false`);
    await grantRuntime(queryRunner, 'usage_quarters', 'DELETE');
    await grantRuntime(queryRunner, 'usage_days', 'DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE slots DROP COLUMN image_ended;
      ALTER TABLE reports DROP COLUMN has_ended_images, DROP COLUMN legal_hold_at, DROP COLUMN legal_hold_by, DROP COLUMN legal_hold_reason;
      DROP TABLE retention_days`);
  }
}
