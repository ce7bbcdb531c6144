import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that are made every day, week or month. The row of a file is written before its object, so that no object is forgotten. */
export class ExportSchedules1765200000000 implements MigrationInterface {
  name = 'ExportSchedules1765200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE export_schedules (
        schedule_id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects,
        kind text NOT NULL CHECK (kind IN ('reports', 'usage')),
        frequency text NOT NULL CHECK (frequency IN ('daily', 'weekly', 'monthly')),
        format text NOT NULL CHECK (format IN ('csv', 'xlsx')),
        language text NOT NULL CHECK (language IN ('ko', 'en')),
        columns text[] NOT NULL,
        filters jsonb NOT NULL,
        bucket jsonb,
        bucket_secret bytea,
        next_first_day date NOT NULL,
        next_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        created_by uuid REFERENCES users,
        CHECK ((bucket IS NULL) = (bucket_secret IS NULL))
      );
      CREATE INDEX export_schedules_of_project ON export_schedules (project_id, schedule_id);
      CREATE INDEX export_schedules_due ON export_schedules (next_at);
      CREATE TABLE export_files (
        file_id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects,
        schedule_id uuid REFERENCES export_schedules ON DELETE SET NULL,
        name text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('reports', 'usage')),
        format text NOT NULL CHECK (format IN ('csv', 'xlsx')),
        first_day date NOT NULL,
        last_day date NOT NULL,
        state text NOT NULL CHECK (state IN ('waiting', 'stored', 'done', 'failed')),
        attempts smallint NOT NULL DEFAULT 0,
        attempt_id uuid,
        fault text,
        answer text,
        next_at timestamptz NOT NULL,
        size_bytes integer,
        sha256 bytea CHECK (octet_length(sha256) = 32),
        stored_at timestamptz,
        delivered_at timestamptz,
        expires_at timestamptz NOT NULL,
        UNIQUE (project_id, name),
        CHECK ((sha256 IS NULL) = (stored_at IS NULL))
      );
      CREATE INDEX export_files_of_schedule ON export_files (schedule_id, first_day DESC);
      CREATE INDEX export_files_due ON export_files (next_at) WHERE state IN ('waiting', 'stored');
      CREATE INDEX export_files_expired ON export_files (expires_at)`);
    await projectTable(queryRunner, 'export_schedules', 'SELECT, INSERT, UPDATE, DELETE');
    await projectTable(queryRunner, 'export_files', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE export_files, export_schedules');
  }
}
