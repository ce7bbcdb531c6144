import { grantRuntime, retentionTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST_SLOT = 9;
const SLOTS = 32;

/**
 * The request log gets a second ring of partitions, which holds 30 days; the first one empties while it is not written any more. Entries of the
 * audit log may go after a year, which is the shortest time that a project can choose, and never change.
 */
export class Retention1765500000000 implements MigrationInterface {
  name = 'Retention1765500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await retentionTable(queryRunner);
    for (let slot = FIRST_SLOT; slot < FIRST_SLOT + SLOTS; slot += 1) {
      await queryRunner.query(`CREATE TABLE request_log_${slot} PARTITION OF request_log FOR VALUES IN (${slot})`);
      await grantRuntime(queryRunner, `request_log_${slot}`, 'TRUNCATE');
    }
    await grantRuntime(queryRunner, 'request_log', 'DELETE');
    await queryRunner.query(`
      CREATE INDEX messages_ended_of_project ON messages (project_id, ended_at) WHERE project_id IS NOT NULL AND ended_at IS NOT NULL;
      CREATE INDEX audit_log_ending ON audit_log (project_id, entry_id) WHERE project_id IS NOT NULL;
      CREATE INDEX audit_log_ending_of_none ON audit_log (entry_id) WHERE project_id IS NULL;
      CREATE FUNCTION refuse_removal_within_a_year() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.at < now() - interval '364 days' THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'rows of % stay for a year', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE OR REPLACE TRIGGER audit_log_immutable BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER audit_log_not_removed BEFORE DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_removal_within_a_year()`);
    await grantRuntime(queryRunner, 'audit_log', 'DELETE');
    // Reports of live projects end by themselves too, so their customers are checked from now on, spread over a week.
    await queryRunner.query(`
      SELECT set_config('app.scope', 'system', true);
      UPDATE visits SET check_at = now() + random() * interval '7 days' WHERE check_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const ring = Array.from({ length: SLOTS }, (_, index) => `request_log_${FIRST_SLOT + index}`);
    await queryRunner.query(`
      DROP TABLE ${ring.join(', ')}, retention_days;
      DROP INDEX messages_ended_of_project, audit_log_ending, audit_log_ending_of_none;
      DROP TRIGGER audit_log_not_removed ON audit_log;
      DROP FUNCTION refuse_removal_within_a_year;
      CREATE OR REPLACE TRIGGER audit_log_immutable BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
  }
}
