import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Branches of a project, whose texts and logo stand on the pages of their reports. The time zone in which pages show times. */
export class Branches1764600000000 implements MigrationInterface {
  name = 'Branches1764600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE branches (
        branch_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        name text NOT NULL CHECK (name <> ''),
        phone text CHECK (phone <> ''),
        address text CHECK (address <> ''),
        opening_hours text CHECK (opening_hours <> ''),
        logo_name text,
        logo_width_px integer,
        logo_height_px integer,
        archived_at timestamptz,
        created_at timestamptz NOT NULL,
        version integer NOT NULL DEFAULT 1,
        CONSTRAINT branches_logo CHECK (num_nonnulls(logo_name, logo_width_px, logo_height_px) IN (0, 3))
      );
      CREATE INDEX branches_of_project ON branches (project_id, branch_id)`);
    await projectTable(queryRunner, 'branches', 'SELECT, INSERT, UPDATE');
    await queryRunner.query('ALTER TABLE publications ADD COLUMN branch_id uuid');
    await queryRunner.query('ALTER TABLE partners ADD COLUMN time_zone text, ADD COLUMN time_zone_version bigint NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE partners DROP COLUMN time_zone, DROP COLUMN time_zone_version');
    await queryRunner.query('ALTER TABLE publications DROP COLUMN branch_id');
    await queryRunner.query('DROP TABLE branches');
  }
}
