import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The transaction that wrote an entry. Entries carry the time of their answer and are written seconds later, by several processes, so a
 * reader that follows the log by their ids would miss some. An entry of before has no transaction, and no reader that follows.
 */
export class RequestLogTail1764061200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE request_log ADD COLUMN written xid8');
    await queryRunner.query('ALTER TABLE request_log ALTER COLUMN written SET DEFAULT pg_current_xact_id()');
    await queryRunner.query('CREATE INDEX request_log_written ON request_log (project_id, written, entry_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE request_log DROP COLUMN written');
  }
}
