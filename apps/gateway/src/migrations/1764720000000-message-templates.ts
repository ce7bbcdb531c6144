import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The texts that a project wrote for its customers. Without a row the default text applies. */
export class MessageTemplates1764720000000 implements MigrationInterface {
  name = 'MessageTemplates1764720000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE message_templates (
        project_id uuid NOT NULL REFERENCES projects,
        language text NOT NULL CHECK (language IN ('ko', 'en')),
        subject text NOT NULL,
        body text NOT NULL,
        PRIMARY KEY (project_id, language)
      )`);
    await projectTable(queryRunner, 'message_templates', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE message_templates');
  }
}
