import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was done in one project is found without reading what was done in the others. */
export class AuditOfProject1763850000000 implements MigrationInterface {
  name = 'AuditOfProject1763850000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX audit_log_project ON audit_log (organization_id, project_id, entry_id DESC) WHERE project_id IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX audit_log_project');
  }
}
