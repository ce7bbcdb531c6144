import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Discard, purge, replaced share links and reports from before versioned content; a slot that is empty has no row any more. */
export class Removal1763750000000 implements MigrationInterface {
  name = 'Removal1763750000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(EXTEND_REPORTS);
    await queryRunner.query(INDEXES);
    await queryRunner.query(LET_GO_WITH_THE_REPORT);
    await grantRuntime(queryRunner, 'reports', 'DELETE');
    await grantRuntime(queryRunner, 'slots', 'DELETE');
    await grantRuntime(queryRunner, 'analysis_revisions', 'DELETE');
    await grantRuntime(queryRunner, 'idempotency_records', 'UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER analysis_revisions_not_removed ON analysis_revisions;
      DROP FUNCTION refuse_removal_of_open_report;
      DROP INDEX reports_share_token, reports_purgeable, idempotency_records_age;
      ALTER TABLE reports ADD COLUMN link_active boolean NOT NULL DEFAULT true, ADD COLUMN revision_publication_version integer NOT NULL DEFAULT 0,
        DROP COLUMN legacy, DROP COLUMN discarded_at, DROP COLUMN purge_at, DROP COLUMN cleared_at, DROP COLUMN link_token,
        DROP COLUMN link_expires_at, DROP COLUMN publication_analysis_revision`);
  }
}

// A release that writes the dropped columns was never rolled out, so there is no neighbour to expand for.
const EXTEND_REPORTS = `
  ALTER TABLE reports
    ADD COLUMN legacy boolean NOT NULL DEFAULT false,
    ADD COLUMN discarded_at timestamptz,
    ADD COLUMN purge_at timestamptz,
    ADD COLUMN cleared_at timestamptz,
    ADD COLUMN link_token text,
    ADD COLUMN link_expires_at timestamptz,
    ADD COLUMN publication_analysis_revision uuid;
  UPDATE reports SET link_token = share_token WHERE link_active;
  ALTER TABLE reports DROP COLUMN link_active, DROP COLUMN revision_publication_version;
  DELETE FROM slots WHERE phase = 'empty';
`;

// Hash: tokens are only ever asked for by equality, and what a comparison takes says nothing about one.
const INDEXES = `
  CREATE INDEX reports_share_token ON reports USING hash (share_token);
  CREATE INDEX reports_purgeable ON reports (created_at) WHERE project_mode = 'test' AND purge_at IS NULL;
  CREATE INDEX idempotency_records_age ON idempotency_records (created_at);
`;

// The search path is set: a temporary table of the same name must not answer for the real one.
const LET_GO_WITH_THE_REPORT = `
  DROP TRIGGER analysis_revisions_immutable ON analysis_revisions;
  CREATE TRIGGER analysis_revisions_immutable BEFORE UPDATE ON analysis_revisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE FUNCTION refuse_removal_of_open_report() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  BEGIN
    IF EXISTS (SELECT FROM reports WHERE report_id = OLD.report_id AND (discarded_at IS NOT NULL OR purge_at IS NOT NULL)) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a revision is removed only with its closed report' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER analysis_revisions_not_removed BEFORE DELETE ON analysis_revisions
    FOR EACH ROW EXECUTE FUNCTION refuse_removal_of_open_report();
`;
