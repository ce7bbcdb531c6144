import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Cleaning1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE assets ADD COLUMN unused_since timestamptz');
    await grantRuntime(queryRunner, 'assets', 'UPDATE (unused_since)');
    // One row: the walk through the store that all processes share. after_key is null between two walks.
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

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE cleaning');
    await queryRunner.query('ALTER TABLE assets DROP COLUMN unused_since');
  }
}
