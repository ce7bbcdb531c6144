import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * After the migration that adds the column, because that one locks out reads until it ends: an index is built while only writes wait. One finds
 * the oldest photographs of each project, the other one those that have ended.
 */
export class RetentionIndexes1765510000000 implements MigrationInterface {
  name = 'RetentionIndexes1765510000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX assets_kept ON assets (project_id, stored_at) WHERE ended_at IS NULL;
      CREATE INDEX assets_ended ON assets (ended_at) WHERE ended_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX assets_kept, assets_ended');
  }
}
