import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LOG_SLOTS } from '../domain/log-slots';

/** A ring of days: what is too old goes by emptying a partition, which costs nothing, and no row is ever searched for to be deleted. */
export class RequestLog1763790000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE request_log (
        slot smallint NOT NULL,
        entry_id uuid NOT NULL,
        project_id uuid NOT NULL,
        key_id uuid NOT NULL,
        at timestamptz NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        status smallint NOT NULL,
        duration_ms integer NOT NULL,
        request_id text NOT NULL
      ) PARTITION BY LIST (slot);
      CREATE INDEX request_log_newest ON request_log (project_id, entry_id DESC);
      CREATE INDEX request_log_of_key ON request_log (key_id, entry_id DESC);
    `);
    await projectTable(queryRunner, 'request_log', 'SELECT, INSERT');
    for (let slot = 0; slot < LOG_SLOTS; slot += 1) {
      await queryRunner.query(`CREATE TABLE request_log_${slot} PARTITION OF request_log FOR VALUES IN (${slot})`);
      await grantRuntime(queryRunner, `request_log_${slot}`, 'TRUNCATE');
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE request_log');
  }
}
