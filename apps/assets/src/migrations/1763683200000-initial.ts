import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Initial1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createAssets(queryRunner);
    await createDiscardedReports(queryRunner);
    await createCleaning(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE cleaning, discarded_reports, assets');
  }
}

async function createAssets(queryRunner: QueryRunner): Promise<void> {
  // display_recipe is null until the derivatives are stored. display_tries counts attempts that were begun and did not end.
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
      stored_at timestamptz NOT NULL,
      origin text NOT NULL CHECK (origin IN ('upload', 'url')),
      unused_since timestamptz,
      orientation smallint NOT NULL DEFAULT 1 CHECK (orientation BETWEEN 1 AND 8),
      display_recipe smallint,
      display_tries smallint NOT NULL DEFAULT 0
    )`);
  await queryRunner.query('CREATE INDEX assets_by_report ON assets (report_id)');
  await projectTable(queryRunner, 'assets', 'SELECT, INSERT, DELETE, UPDATE (unused_since, display_recipe, display_tries)');
}

/** Tombstones. sweep_after is null once the report was swept. */
async function createDiscardedReports(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE discarded_reports (
      project_id uuid NOT NULL,
      report_id uuid NOT NULL,
      discarded_at timestamptz NOT NULL,
      sweep_after timestamptz,
      PRIMARY KEY (project_id, report_id)
    )`);
  await queryRunner.query('CREATE INDEX discarded_reports_to_sweep ON discarded_reports (sweep_after) WHERE sweep_after IS NOT NULL');
  await projectTable(queryRunner, 'discarded_reports', 'SELECT, INSERT, UPDATE (sweep_after)');
}

/** One row: the walk through the object store, which all processes share. after_key is null between two walks. */
async function createCleaning(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE cleaning (
      only_one boolean PRIMARY KEY CHECK (only_one),
      started_at timestamptz NOT NULL,
      after_key text,
      held_by uuid,
      held_until timestamptz NOT NULL
    )`);
  await queryRunner.query(`INSERT INTO cleaning (only_one, started_at, held_until) VALUES (true, '-infinity', '-infinity')`);
  await grantRuntime(queryRunner, 'cleaning', 'SELECT, UPDATE');
}
