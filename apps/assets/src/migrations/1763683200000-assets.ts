import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Assets1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE assets (
        asset_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        slot_id text NOT NULL,
        object_key text NOT NULL,
        format text NOT NULL CHECK (format IN ('jpeg', 'png')),
        sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
        size_bytes integer NOT NULL,
        width_px integer NOT NULL,
        height_px integer NOT NULL,
        stored_at timestamptz NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX assets_by_report ON assets (report_id)');
    await projectTable(queryRunner, 'assets', 'SELECT, INSERT');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE assets');
  }
}
