import { forbidChange, grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Initial1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDiscardedReports(queryRunner);
    await createContentOutcomes(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE content_outcomes, discarded_reports');
    await queryRunner.query('DROP FUNCTION refuse_removal_before_discard');
  }
}

/** Tombstones: a report with one gets no outcome any more. */
async function createDiscardedReports(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE discarded_reports (
      project_id uuid NOT NULL,
      report_id uuid NOT NULL,
      discarded_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (project_id, report_id)
    )`);
  await projectTable(queryRunner, 'discarded_reports', 'SELECT, INSERT');
  await forbidChange(queryRunner, 'discarded_reports');
}

async function createContentOutcomes(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE content_outcomes (
      report_id uuid NOT NULL,
      analysis_revision uuid NOT NULL,
      project_id uuid NOT NULL,
      content_revision uuid UNIQUE,
      content_json bytea,
      sha256 bytea,
      error_code text,
      generator jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (report_id, analysis_revision),
      CHECK (
        (error_code IS NULL AND content_revision IS NOT NULL AND content_json IS NOT NULL AND octet_length(sha256) = 32 AND generator IS NOT NULL)
        OR (error_code IS NOT NULL AND content_revision IS NULL AND content_json IS NULL AND sha256 IS NULL AND generator IS NULL)
      )
    )`);
  // A document is read far more often than it is written, and 20 KB of JSON shrinks to 3: pglz costs more time than it saves space.
  await queryRunner.query('ALTER TABLE content_outcomes ALTER COLUMN content_json SET STORAGE EXTERNAL');
  await projectTable(queryRunner, 'content_outcomes', 'SELECT, INSERT');
  await grantRuntime(queryRunner, 'content_outcomes', 'DELETE');
  // The function names the schema of the table: a temporary table of the same name would come first on any search path.
  await queryRunner.query(`
      CREATE FUNCTION refuse_removal_before_discard() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE discarded boolean;
      BEGIN
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.discarded_reports WHERE project_id = $1 AND report_id = $2)', TG_TABLE_SCHEMA)
          INTO discarded USING OLD.project_id, OLD.report_id;
        IF discarded THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'rows of % go only with their report', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$`);
  for (const [trigger, event, level, refusal] of [
    ['content_outcomes_immutable', 'UPDATE', 'ROW', 'refuse_change'],
    ['content_outcomes_removal', 'DELETE', 'ROW', 'refuse_removal_before_discard'],
    ['content_outcomes_not_truncated', 'TRUNCATE', 'STATEMENT', 'refuse_change'],
  ]) {
    await queryRunner.query(
      `CREATE TRIGGER ${trigger} BEFORE ${event} ON content_outcomes FOR EACH ${level} EXECUTE FUNCTION ${refusal}()`,
    );
  }
}
