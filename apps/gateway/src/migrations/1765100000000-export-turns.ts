import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The project whose export runs, until when its process has promised to finish or to say that it lives, and which process that is. */
export class ExportTurns1765100000000 implements MigrationInterface {
  name = 'ExportTurns1765100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE export_turns (
        project_id uuid PRIMARY KEY REFERENCES projects,
        turn_id uuid NOT NULL,
        held_until timestamptz NOT NULL
      )`);
    await projectTable(queryRunner, 'export_turns', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE export_turns');
  }
}
