import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Publications1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE publications (
        report_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        status text NOT NULL CHECK (status IN ('absent', 'held', 'unpublished', 'published', 'revoked')),
        version bigint NOT NULL DEFAULT 0,
        last_analysis_revision uuid,
        last_content_revision uuid,
        published_at timestamptz,
        callback_url text,
        external_inspection_id text,
        external_vehicle_id text
      )`);
    await projectTable(queryRunner, 'publications', 'SELECT, INSERT, UPDATE');
    // The token is kept as well as its digest: GET /reports/{id}/share shows the address again. Look-ups go by digest,
    // so that how long a comparison takes says nothing about a token.
    await queryRunner.query(`
      CREATE TABLE share_links (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        token text NOT NULL,
        token_digest bytea NOT NULL UNIQUE CHECK (octet_length(token_digest) = 32),
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX share_links_by_report ON share_links (report_id, created_at DESC)`);
    await projectTable(queryRunner, 'share_links', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE share_links, publications');
  }
}
