import { forbidChange, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContentOutcomes1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE content_outcomes (
        report_id uuid NOT NULL,
        analysis_revision uuid NOT NULL,
        project_id uuid NOT NULL,
        content_revision uuid UNIQUE,
        content_json bytea,
        sha256 bytea,
        error_code text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (report_id, analysis_revision),
        CHECK (
          (error_code IS NULL AND content_revision IS NOT NULL AND content_json IS NOT NULL AND octet_length(sha256) = 32)
          OR (error_code IS NOT NULL AND content_revision IS NULL AND content_json IS NULL AND sha256 IS NULL)
        )
      )`);
    // A canonical document is read far more often than it is written, and 20 KB of JSON shrinks to 3: pglz costs more time than it saves space.
    await queryRunner.query(`ALTER TABLE content_outcomes ALTER COLUMN content_json SET STORAGE EXTERNAL`);
    await projectTable(queryRunner, 'content_outcomes', 'SELECT, INSERT');
    await forbidChange(queryRunner, 'content_outcomes');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE content_outcomes');
  }
}
