import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Listeners1764061200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The row of a project stays, so that its numbers never begin again. The newest callback that nobody can read any more has the number
    // forgotten_number, and is of forgotten_at.
    await queryRunner.query(`
      CREATE TABLE listeners (
        project_id uuid PRIMARY KEY,
        since timestamptz NOT NULL,
        until timestamptz NOT NULL,
        last_number bigint NOT NULL DEFAULT 0,
        forgotten_number bigint NOT NULL DEFAULT 0,
        forgotten_at timestamptz
      )`);
    await projectTable(queryRunner, 'listeners', 'SELECT, INSERT, UPDATE');
    // The body contains the address of the share page, so it is sealed. The rows of a discarded report are deleted.
    await queryRunner.query(`
      CREATE TABLE listened_callbacks (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        number bigint NOT NULL,
        type text NOT NULL,
        report_id uuid NOT NULL,
        body bytea NOT NULL,
        queued_at timestamptz NOT NULL,
        UNIQUE (project_id, number)
      )`);
    await queryRunner.query('CREATE INDEX listened_callbacks_of_report ON listened_callbacks (report_id)');
    await queryRunner.query('CREATE INDEX listened_callbacks_by_age ON listened_callbacks (queued_at)');
    await projectTable(queryRunner, 'listened_callbacks', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE listened_callbacks, listeners');
  }
}
