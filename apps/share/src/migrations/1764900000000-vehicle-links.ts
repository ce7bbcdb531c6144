import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to the pages of vehicles. Of a token there is only its digest: its address is shown once. */
export class VehicleLinks1764900000000 implements MigrationInterface {
  name = 'VehicleLinks1764900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE vehicle_links (
        link_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        vehicle_id uuid NOT NULL,
        token_digest bytea NOT NULL UNIQUE CHECK (octet_length(token_digest) = 32),
        shows_plate boolean NOT NULL,
        created_at timestamptz NOT NULL,
        created_by text NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      );
      CREATE INDEX vehicle_links_of_vehicle ON vehicle_links (vehicle_id, link_id DESC);
      CREATE INDEX vehicle_links_ended ON vehicle_links (least(expires_at, revoked_at))`);
    await projectTable(queryRunner, 'vehicle_links', 'SELECT, INSERT, UPDATE (revoked_at), DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE vehicle_links');
  }
}
