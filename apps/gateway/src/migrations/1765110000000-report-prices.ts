import { projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a report of a project costs from a day on, until the day of the next price. */
export class ReportPrices1765110000000 implements MigrationInterface {
  name = 'ReportPrices1765110000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE report_prices (
        project_id uuid NOT NULL REFERENCES projects,
        valid_from date NOT NULL,
        amount_minor integer NOT NULL CHECK (amount_minor >= 0),
        currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
        PRIMARY KEY (project_id, valid_from)
      )`);
    await projectTable(queryRunner, 'report_prices', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE report_prices');
  }
}
