import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages that wait to be sent, links to reset a password, and the browsers from which an account was signed in. Receivers and contents
 * are sealed. A content goes when its message has ended, because it may hold a link that opens something.
 */
export class Messages1764700000000 implements MigrationInterface {
  name = 'Messages1764700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE messages (
        message_id uuid PRIMARY KEY,
        owner uuid NOT NULL,
        project_id uuid REFERENCES projects,
        report_id uuid,
        kind text NOT NULL CHECK (kind IN ('invitation', 'password_reset', 'alert', 'report')),
        channel text NOT NULL CHECK (channel IN ('email')),
        state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'stopped')),
        receiver bytea,
        content bytea,
        failure text,
        attempts integer NOT NULL DEFAULT 0,
        under_way boolean NOT NULL DEFAULT false,
        unknown_outcomes integer NOT NULL DEFAULT 0,
        next_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        created_by uuid REFERENCES users,
        ended_at timestamptz,
        CHECK ((state = 'queued') = (content IS NOT NULL)),
        CHECK ((state = 'queued') = (ended_at IS NULL))
      );
      CREATE INDEX messages_queued ON messages (owner, next_at) WHERE state = 'queued';
      CREATE INDEX messages_ended ON messages (ended_at) WHERE ended_at IS NOT NULL;
      CREATE INDEX messages_of_report ON messages (project_id, report_id, message_id DESC) WHERE report_id IS NOT NULL;
      CREATE UNIQUE INDEX one_queued_message ON messages (report_id, kind, channel) WHERE state = 'queued' AND report_id IS NOT NULL;
      CREATE TABLE password_resets (
        user_id uuid PRIMARY KEY REFERENCES users,
        digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
        expires_at timestamptz NOT NULL
      );
      CREATE TABLE known_browsers (
        digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
        at timestamptz NOT NULL
      )`);
    await projectTable(queryRunner, 'messages', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'password_resets', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'known_browsers', 'SELECT, INSERT, UPDATE (at), DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE known_browsers, password_resets, messages');
  }
}
