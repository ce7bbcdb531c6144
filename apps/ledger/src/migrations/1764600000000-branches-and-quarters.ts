import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a creation says about its branch and its vehicle. Usage by quarters of an hour, from which days of any time zone are summed. The days
 * that were counted before stay in `usage_days`.
 */
export class BranchesAndQuarters1764600000000 implements MigrationInterface {
  name = 'BranchesAndQuarters1764600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE reports ADD COLUMN branch_id uuid, ADD COLUMN vin text, ADD COLUMN mileage_km integer');
    await queryRunner.query(`
      CREATE TABLE usage_quarters (
        project_id uuid NOT NULL,
        quarter timestamptz NOT NULL,
        measure text COLLATE "C" NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (project_id, quarter, measure)
      )`);
    await projectTable(queryRunner, 'usage_quarters', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE usage_quarters');
    await queryRunner.query('ALTER TABLE reports DROP COLUMN branch_id, DROP COLUMN vin, DROP COLUMN mileage_km');
  }
}
