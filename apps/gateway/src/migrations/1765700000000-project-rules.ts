import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator chose of the rules that are tried with some projects first. */
export class ProjectRules1765700000000 implements MigrationInterface {
  name = 'ProjectRules1765700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE project_rules (
        project_id uuid NOT NULL REFERENCES projects,
        rule text COLLATE "C" NOT NULL,
        value text NOT NULL,
        changed_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, rule)
      );
      CREATE TABLE rule_defaults (
        rule text COLLATE "C" PRIMARY KEY,
        value text NOT NULL,
        changed_at timestamptz NOT NULL
      )`);
    await projectTable(queryRunner, 'project_rules', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'rule_defaults', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE project_rules, rule_defaults');
  }
}
