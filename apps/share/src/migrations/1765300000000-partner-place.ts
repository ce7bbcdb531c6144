import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a shop without branches is, and when it is open. */
export class PartnerPlace1765300000000 implements MigrationInterface {
  name = 'PartnerPlace1765300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE partners
        ADD COLUMN address text CHECK (address <> ''),
        ADD COLUMN opening_hours text CHECK (opening_hours <> '')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE partners DROP COLUMN address, DROP COLUMN opening_hours');
  }
}
