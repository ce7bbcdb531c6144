import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Text messages beside mail: the provider's id of a message, and a text of the project for each purpose. */
export class TextMessages1765000000000 implements MigrationInterface {
  name = 'TextMessages1765000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE messages
        ADD COLUMN reference text CHECK (length(reference) <= 100),
        DROP CONSTRAINT messages_channel_check,
        ADD CONSTRAINT messages_channel_check CHECK (channel IN ('email', 'sms'));
      ALTER TABLE message_templates
        ADD COLUMN purpose text NOT NULL DEFAULT 'report_email' CHECK (purpose IN ('report_email', 'report_sms')),
        DROP CONSTRAINT message_templates_pkey,
        ADD PRIMARY KEY (project_id, purpose, language)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM message_templates WHERE purpose <> 'report_email';
      ALTER TABLE message_templates DROP COLUMN purpose, ADD PRIMARY KEY (project_id, language);
      DELETE FROM messages WHERE channel <> 'email';
      ALTER TABLE messages
        DROP COLUMN reference, DROP CONSTRAINT messages_channel_check, ADD CONSTRAINT messages_channel_check CHECK (channel IN ('email'))`);
  }
}
