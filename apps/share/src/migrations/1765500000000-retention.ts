import { grantRuntime, projectTable, retentionTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Callbacks end with time, and their attempts with them; an attempt never changes otherwise. What usage shows of removed callbacks is added up by
 * quarters of an hour, from which days of any time zone are summed.
 */
export class Retention1765500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await retentionTable(queryRunner);
    await queryRunner.query(`
      CREATE TABLE callback_quarters (
        project_id uuid NOT NULL,
        quarter timestamptz NOT NULL,
        queued bigint NOT NULL,
        delivered bigint NOT NULL,
        PRIMARY KEY (project_id, quarter)
      )`);
    await projectTable(queryRunner, 'callback_quarters', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'callbacks', 'DELETE');
    await grantRuntime(queryRunner, 'callback_attempts', 'DELETE');
    await queryRunner.query(`
      CREATE FUNCTION refuse_removal_of_pending() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM callbacks WHERE id = OLD.callback_id AND state = 'pending') THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'an attempt is removed only with its ended callback' USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE OR REPLACE TRIGGER callback_attempts_immutable BEFORE UPDATE ON callback_attempts
        FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();
      CREATE TRIGGER callback_attempts_not_removed BEFORE DELETE ON callback_attempts
        FOR EACH ROW EXECUTE FUNCTION refuse_removal_of_pending()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER callback_attempts_not_removed ON callback_attempts;
      DROP FUNCTION refuse_removal_of_pending;
      CREATE OR REPLACE TRIGGER callback_attempts_immutable BEFORE UPDATE OR DELETE ON callback_attempts
        FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();
      DROP TABLE callback_quarters, retention_days`);
  }
}
