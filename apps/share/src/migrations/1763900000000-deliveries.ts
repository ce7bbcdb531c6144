import { forbidChange, grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Receivers are told apart, a person can send again or try an address, and the answers of a discarded report can be forgotten. */
export class Deliveries1763900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A receiver is the origin of the address, for one project: what hangs there for one is not held against another.
    await queryRunner.query(`
      ALTER TABLE callbacks
        ADD COLUMN type text NOT NULL DEFAULT 'report.completed' CHECK (type IN ('report.completed', 'callback.test')),
        ADD COLUMN receiver text COLLATE "C" NOT NULL
          GENERATED ALWAYS AS (project_id::text || ' ' || lower(coalesce(substring(url from '^[^/]*//[^/?#]*'), ''))) STORED,
        ADD COLUMN tried_since timestamptz,
        ADD COLUMN attempts_before integer NOT NULL DEFAULT 0,
        ALTER COLUMN report_id DROP NOT NULL,
        ALTER COLUMN analysis_revision DROP NOT NULL,
        ADD CONSTRAINT callbacks_of_a_report CHECK (type = 'callback.test' OR (report_id IS NOT NULL AND analysis_revision IS NOT NULL))`);
    await queryRunner.query(`DROP INDEX callbacks_due`);
    await queryRunner.query(`CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at) WHERE state = 'pending'`);
    await queryRunner.query(`CREATE INDEX callbacks_of_project ON callbacks (project_id, id)`);
    await queryRunner.query(`DROP TRIGGER callback_attempts_immutable ON callback_attempts`);
    await queryRunner.query(`
      CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' AND NEW.answer IS NULL AND to_jsonb(NEW) - 'answer' = to_jsonb(OLD) - 'answer' THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER callback_attempts_immutable BEFORE UPDATE OR DELETE ON callback_attempts
      FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting()`);
    await grantRuntime(queryRunner, 'callback_attempts', 'UPDATE (answer)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER callback_attempts_immutable ON callback_attempts;
      DROP TRIGGER callback_attempts_not_truncated ON callback_attempts;
      DROP FUNCTION refuse_change_but_forgetting;
      DELETE FROM callback_attempts WHERE callback_id IN (SELECT id FROM callbacks WHERE type = 'callback.test');
      DELETE FROM callbacks WHERE type = 'callback.test';
      DROP INDEX callbacks_due, callbacks_of_project;
      ALTER TABLE callbacks
        DROP COLUMN type, DROP COLUMN receiver, DROP COLUMN tried_since, DROP COLUMN attempts_before,
        ALTER COLUMN report_id SET NOT NULL,
        ALTER COLUMN analysis_revision SET NOT NULL`);
    await queryRunner.query(`CREATE INDEX callbacks_due ON callbacks (next_attempt_at) WHERE state = 'pending'`);
    await forbidChange(queryRunner, 'callback_attempts');
  }
}
