import { forbidChange, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Callbacks1763683260000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhook_secrets (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        secret text NOT NULL CHECK (secret LIKE 'whsec_%'),
        created_at timestamptz NOT NULL,
        expires_at timestamptz
      )`);
    // One current secret a project: of two that are made at once, the second finds the first.
    await queryRunner.query(`CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (project_id) WHERE expires_at IS NULL`);
    await projectTable(queryRunner, 'webhook_secrets', 'SELECT, INSERT, UPDATE');
    await queryRunner.query(`
      CREATE TABLE callbacks (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        analysis_revision uuid NOT NULL,
        url text NOT NULL,
        body text NOT NULL,
        trace_headers jsonb NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'abandoned')),
        attempt_count integer NOT NULL DEFAULT 0,
        queued_at timestamptz NOT NULL,
        next_attempt_at timestamptz NOT NULL,
        claimed_until timestamptz,
        UNIQUE (report_id, analysis_revision)
      )`);
    await queryRunner.query(`CREATE INDEX callbacks_due ON callbacks (next_attempt_at) WHERE state = 'pending'`);
    await projectTable(queryRunner, 'callbacks', 'SELECT, INSERT, UPDATE');
    await queryRunner.query(`
      CREATE TABLE callback_attempts (
        callback_id uuid NOT NULL REFERENCES callbacks (id),
        number integer NOT NULL,
        project_id uuid NOT NULL,
        started_at timestamptz NOT NULL,
        duration_ms integer NOT NULL,
        http_status integer,
        failure text,
        answer bytea CHECK (octet_length(answer) <= 1024),
        PRIMARY KEY (callback_id, number)
      )`);
    await projectTable(queryRunner, 'callback_attempts', 'SELECT, INSERT');
    await forbidChange(queryRunner, 'callback_attempts');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE callback_attempts, callbacks, webhook_secrets');
  }
}
