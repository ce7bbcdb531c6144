import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Beside `body`, which is served as it is: what only members may see. */
export class SizeGuess1764050000000 implements MigrationInterface {
  name = 'SizeGuess1764050000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE analyses ADD COLUMN guess json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE analyses DROP COLUMN guess');
  }
}
