import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How capture pages of a project behave. */
export class CaptureSettings1764100000000 implements MigrationInterface {
  name = 'CaptureSettings1764100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE projects
        ADD COLUMN capture_embed_origins text[] NOT NULL DEFAULT '{}',
        ADD COLUMN capture_shows_share_link boolean NOT NULL DEFAULT false`);
    await grantRuntime(queryRunner, 'projects', 'UPDATE (capture_embed_origins, capture_shows_share_link)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE projects DROP COLUMN capture_embed_origins, DROP COLUMN capture_shows_share_link');
  }
}
