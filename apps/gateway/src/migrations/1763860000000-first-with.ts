import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever came by the provider and has one-time codes is written down with both. */
export class FirstWith1763860000000 implements MigrationInterface {
  name = 'FirstWith1763860000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sessions ADD COLUMN first_with text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sessions DROP COLUMN first_with');
  }
}
