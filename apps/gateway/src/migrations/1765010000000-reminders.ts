import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reminders go with the customer of their report; what stops them stays. Of tokens, addresses and numbers only digests are stored. */
export class Reminders1765010000000 implements MigrationInterface {
  name = 'Reminders1765010000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE reminders (
        reminder_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        reason text NOT NULL CHECK (reason IN ('six_months', 'depth')),
        channel text NOT NULL CHECK (channel IN ('email', 'sms')),
        state text NOT NULL CHECK (state IN ('planned', 'sent', 'stopped', 'dropped')),
        because text,
        receiver_digest bytea NOT NULL CHECK (octet_length(receiver_digest) = 32),
        message_id uuid UNIQUE,
        due_at timestamptz NOT NULL,
        next_at timestamptz NOT NULL,
        consent_version text NOT NULL,
        consent_language text NOT NULL CHECK (consent_language IN ('ko', 'en')),
        consent_at timestamptz NOT NULL,
        consent_by uuid REFERENCES users,
        ended_at timestamptz,
        FOREIGN KEY (project_id, report_id) REFERENCES visits ON DELETE CASCADE,
        CHECK ((state = 'planned') = (ended_at IS NULL))
      );
      CREATE INDEX reminders_due ON reminders (next_at) WHERE state = 'planned';
      CREATE INDEX reminders_of_report ON reminders (project_id, report_id, reminder_id DESC);
      CREATE INDEX reminders_of_receiver ON reminders (project_id, receiver_digest);
      CREATE UNIQUE INDEX one_planned_reminder ON reminders (project_id, report_id, reason) WHERE state = 'planned';
      CREATE TABLE reminder_stops (
        project_id uuid NOT NULL REFERENCES projects,
        receiver_digest bytea NOT NULL CHECK (octet_length(receiver_digest) = 32),
        stopped_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, receiver_digest)
      );
      CREATE TABLE reminder_stop_links (
        stop_digest bytea PRIMARY KEY CHECK (octet_length(stop_digest) = 32),
        project_id uuid NOT NULL REFERENCES projects,
        receiver_digests bytea[] NOT NULL,
        sent_at timestamptz NOT NULL
      );
      CREATE INDEX reminder_stop_links_sent ON reminder_stop_links (sent_at);
      ALTER TABLE messages
        DROP CONSTRAINT messages_kind_check,
        ADD CONSTRAINT messages_kind_check CHECK (kind IN ('invitation', 'password_reset', 'alert', 'report', 'reminder'));
      CREATE INDEX messages_unsent_reminders ON messages (ended_at)
        WHERE kind = 'reminder' AND state = 'failed' AND failure IN ('unavailable', 'expired');
      ALTER TABLE message_templates
        DROP CONSTRAINT message_templates_purpose_check,
        ADD CONSTRAINT message_templates_purpose_check CHECK (purpose IN ('report_email', 'report_sms', 'reminder_email', 'reminder_sms'))`);
    await projectTable(queryRunner, 'reminders', 'SELECT, INSERT, UPDATE, DELETE');
    await projectTable(queryRunner, 'reminder_stops', 'SELECT, INSERT, UPDATE');
    await projectTable(queryRunner, 'reminder_stop_links', 'SELECT, INSERT, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE reminder_stop_links, reminder_stops, reminders;
      DROP INDEX messages_unsent_reminders;
      DELETE FROM messages WHERE kind = 'reminder';
      DELETE FROM message_templates WHERE purpose LIKE 'reminder%';
      ALTER TABLE messages
        DROP CONSTRAINT messages_kind_check,
        ADD CONSTRAINT messages_kind_check CHECK (kind IN ('invitation', 'password_reset', 'alert', 'report'));
      ALTER TABLE message_templates
        DROP CONSTRAINT message_templates_purpose_check,
        ADD CONSTRAINT message_templates_purpose_check CHECK (purpose IN ('report_email', 'report_sms'))`);
  }
}
