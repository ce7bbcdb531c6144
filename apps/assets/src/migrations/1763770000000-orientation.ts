import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Orientation1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE assets ADD COLUMN orientation smallint NOT NULL DEFAULT 1 CHECK (orientation BETWEEN 1 AND 8)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE assets DROP COLUMN orientation');
  }
}
