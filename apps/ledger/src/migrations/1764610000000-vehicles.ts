import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
  CREATE TABLE vehicles (
    vehicle_id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    merged_into uuid,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX vehicles_newest ON vehicles (project_id, vehicle_id DESC) WHERE merged_into IS NULL;
  CREATE INDEX vehicles_merged ON vehicles (merged_into) WHERE merged_into IS NOT NULL;
  CREATE TABLE vehicle_aliases (
    alias_id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    vehicle_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('vin', 'own', 'plate')),
    value text COLLATE "C" NOT NULL,
    shown text NOT NULL,
    search_key text COLLATE "C" NOT NULL,
    from_at timestamptz NOT NULL,
    UNIQUE (project_id, kind, value, from_at)
  );
  CREATE INDEX vehicle_aliases_search ON vehicle_aliases (project_id, search_key, alias_id);
  CREATE INDEX vehicle_aliases_of_vehicle ON vehicle_aliases (vehicle_id);
  CREATE TABLE vehicle_reports (
    report_id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    alias_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    plate text COLLATE "C"
  );
  CREATE INDEX vehicle_reports_plate ON vehicle_reports (project_id, plate) WHERE plate IS NOT NULL;
  CREATE INDEX vehicle_reports_newest ON vehicle_reports (alias_id, created_at DESC, report_id DESC);
  CREATE TABLE vehicle_changes (
    change_id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('merged', 'split')),
    vehicle_id uuid NOT NULL,
    other_vehicle_id uuid NOT NULL,
    plate text,
    from_at timestamptz,
    at timestamptz NOT NULL,
    undone_at timestamptz
  );
  CREATE INDEX vehicle_changes_of_other ON vehicle_changes (other_vehicle_id);
  CREATE INDEX vehicle_changes_of_vehicle ON vehicle_changes (vehicle_id, change_id DESC);
  CREATE TABLE tire_judgements (
    report_id uuid NOT NULL,
    project_id uuid NOT NULL,
    position text NOT NULL,
    verdict text NOT NULL CHECK (verdict IN ('replaced', 'rotated', 'refused')),
    with_position text,
    PRIMARY KEY (report_id, position)
  );
  CREATE TABLE vehicle_backfill (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    after_id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    done boolean NOT NULL
  );
  INSERT INTO vehicle_backfill (after_id, started_at, done) VALUES ('00000000-0000-0000-0000-000000000000', now(), false)`;

/**
 * Vehicles, by what reports name them. A report is attached to an alias, the alias to a vehicle, and a merged vehicle to another one, so that a
 * merge or a split changes one row or two, and is undone by the same rows. A plate has an alias for each vehicle that it belonged to, with the
 * time since when.
 * `vehicle_aliases_search` has the order of a search, over all kinds of identifiers. Reports of before are attached step by step.
 */
export class Vehicles1764610000000 implements MigrationInterface {
  name = 'Vehicles1764610000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLES);
    for (const table of ['vehicles', 'vehicle_aliases', 'vehicle_reports', 'vehicle_changes', 'tire_judgements'])
      await projectTable(queryRunner, table, 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'vehicle_backfill', 'SELECT, UPDATE (after_id, done)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE vehicle_backfill, tire_judgements, vehicle_changes, vehicle_reports, vehicle_aliases, vehicles');
  }
}
