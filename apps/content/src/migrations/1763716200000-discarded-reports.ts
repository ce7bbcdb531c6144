import { forbidChange, grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DiscardedReports1763716200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE discarded_reports (
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        discarded_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, report_id)
      )`);
    await projectTable(queryRunner, 'discarded_reports', 'SELECT, INSERT');
    await forbidChange(queryRunner, 'discarded_reports');
    // By the schema of its own table: a temporary table of the same name would come first on any search path.
    await queryRunner.query(`
      CREATE FUNCTION refuse_removal_before_discard() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE discarded boolean;
      BEGIN
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.discarded_reports WHERE project_id = $1 AND report_id = $2)', TG_TABLE_SCHEMA)
          INTO discarded USING OLD.project_id, OLD.report_id;
        IF discarded THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'rows of % go only with their report', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$`);
    await queryRunner.query('DROP TRIGGER content_outcomes_immutable ON content_outcomes');
    await queryRunner.query(
      `CREATE TRIGGER content_outcomes_immutable BEFORE UPDATE ON content_outcomes
       FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    );
    await queryRunner.query(
      `CREATE TRIGGER content_outcomes_removal BEFORE DELETE ON content_outcomes
       FOR EACH ROW EXECUTE FUNCTION refuse_removal_before_discard()`,
    );
    await grantRuntime(queryRunner, 'content_outcomes', 'DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER content_outcomes_removal ON content_outcomes');
    await queryRunner.query('DROP TRIGGER content_outcomes_immutable ON content_outcomes');
    await queryRunner.query(
      `CREATE TRIGGER content_outcomes_immutable BEFORE UPDATE OR DELETE ON content_outcomes
       FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    );
    await queryRunner.query('DROP FUNCTION refuse_removal_before_discard');
    await queryRunner.query('DROP TABLE discarded_reports');
  }
}
