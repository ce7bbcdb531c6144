import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A price that has not begun can be removed. */
export class RemovablePrices1765120000000 implements MigrationInterface {
  name = 'RemovablePrices1765120000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await grantRuntime(queryRunner, 'report_prices', 'DELETE');
  }

  /** The right stays: nothing of before uses it. */
  async down(): Promise<void> {}
}
