import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An analysis with gauge values names the one that has what the engine measured. The index lists them by time, because ids of analyses are
 * ordered by it.
 */
export class GaugeValues1764800000000 implements MigrationInterface {
  name = 'GaugeValues1764800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE analyses ADD COLUMN measured_analysis_id uuid;
      CREATE INDEX analyses_gauged ON analyses (project_id, analysis_id) WHERE measured_analysis_id IS NOT NULL;
      CREATE TABLE training_use (
        project_id uuid PRIMARY KEY,
        is_allowed boolean NOT NULL,
        changed_at timestamptz NOT NULL
      )`);
    await projectTable(queryRunner, 'training_use', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE training_use; ALTER TABLE analyses DROP COLUMN measured_analysis_id');
  }
}
