import { forbidChange, grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Initial1763700000000 implements MigrationInterface {
  name = 'Initial1763700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [REPORTS, SLOTS, ANALYSES, REVISIONS, IDEMPOTENCY_RECORDS, HISTORY, USAGE])
      await queryRunner.query(statements);
    await projectTable(queryRunner, 'reports', 'SELECT, INSERT, UPDATE, DELETE');
    await projectTable(queryRunner, 'slots', 'SELECT, INSERT, UPDATE, DELETE');
    await projectTable(queryRunner, 'work_shares', 'SELECT, INSERT, UPDATE');
    await grantRuntime(queryRunner, 'work_levels', 'SELECT, INSERT, UPDATE');
    await projectTable(queryRunner, 'idempotency_records', 'SELECT, INSERT, UPDATE, DELETE');
    await projectTable(queryRunner, 'report_history', 'SELECT, INSERT, DELETE');
    await projectTable(queryRunner, 'usage_days', 'SELECT, INSERT, UPDATE');
    await grantRuntime(queryRunner, 'usage_counted', 'SELECT, UPDATE (until)');
    for (const table of ['analyses', 'analysis_revisions', 'analysis_revision_slots']) {
      await projectTable(queryRunner, table, 'SELECT, INSERT, DELETE');
      await forbidChange(queryRunner, table);
    }
    await queryRunner.query(REMOVE_WITH_THE_REPORT);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE usage_counted, usage_days, report_history, idempotency_records, analysis_revision_slots, analysis_revisions, analyses,
                 work_levels, work_shares, slots, reports;
      DROP FUNCTION refuse_removal_of_open_report, refuse_change`);
  }
}

/**
 * Each way in which people look for reports is one index in the order in which they are listed, so that a page is a piece of it. The plate
 * is in columns and not in expressions: under row-level security, an index on a function that is not leakproof is not used.
 * Tokens of share pages are sealed and found by their digest, which is only compared for equality.
 */
const REPORTS = `
  CREATE TABLE reports (
    report_id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    project_mode text NOT NULL,
    intake text NOT NULL,
    source_channel text NOT NULL,
    creation_mode text NOT NULL,
    template_key text NOT NULL,
    template_version text NOT NULL,
    profile_key text NOT NULL,
    profile_version text NOT NULL,
    profile_locale text NOT NULL,
    ruleset_version text NOT NULL,
    copy_version text NOT NULL,
    projection_version text NOT NULL,
    plate_number text,
    external_inspection_id text,
    external_vehicle_id text,
    callback_url text,
    metadata_json text NOT NULL,
    share_token bytea NOT NULL,
    share_token_digest bytea NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    analysis_status text NOT NULL,
    revision_id uuid,
    revision_status text,
    revision_completed_at timestamptz,
    content_analysis_revision uuid,
    content_revision uuid,
    content_etag text,
    content_error_code text,
    publication_version integer NOT NULL,
    publication_status text NOT NULL,
    published_at timestamptz,
    handover_at timestamptz,
    handover_attempts integer NOT NULL,
    legacy boolean NOT NULL DEFAULT false,
    discarded_at timestamptz,
    purge_at timestamptz,
    cleared_at timestamptz,
    link_token bytea,
    link_token_digest bytea,
    link_expires_at timestamptz,
    publication_analysis_revision uuid,
    plate_key text GENERATED ALWAYS AS (replace(upper(plate_number), ' ', '')) STORED,
    plate_end text GENERATED ALWAYS AS (right(replace(upper(plate_number), ' ', ''), 4)) STORED,
    created_by text,
    creation_trace_id uuid,
    images_at_creation smallint NOT NULL,
    warnings_json text NOT NULL
  );
  CREATE UNIQUE INDEX reports_inspection ON reports (project_id, external_inspection_id) WHERE external_inspection_id IS NOT NULL;
  CREATE INDEX reports_handover ON reports (handover_at) WHERE handover_at IS NOT NULL;
  CREATE INDEX reports_share_token ON reports USING hash (share_token_digest);
  CREATE INDEX reports_purgeable ON reports (created_at) WHERE project_mode = 'test' AND purge_at IS NULL;
  CREATE INDEX reports_newest ON reports (project_id, created_at DESC, report_id DESC);
  CREATE INDEX reports_vehicle ON reports (project_id, external_vehicle_id, created_at DESC, report_id DESC)
    WHERE external_vehicle_id IS NOT NULL;
  CREATE INDEX reports_plate_end ON reports (project_id, plate_end, created_at DESC, report_id DESC) WHERE plate_end IS NOT NULL;
  CREATE INDEX reports_filtered ON reports (project_id, creation_mode, analysis_status, created_at DESC, report_id DESC)
    WHERE discarded_at IS NULL AND purge_at IS NULL;
`;

/**
 * An empty slot has no row. `analysis_id` is the attempt that runs, or the analysis that ended. While it runs, the slot is a piece of waiting
 * work since `queued_at`, and with a worker since `handover_at`. `work_shares` counts what each project was given,
 * with the time of the last piece, and `work_levels` what the waiting project that was given least had been given.
 * The measurement of a well-known photograph (`sandbox`) is work of a kind of its own, which the ledger answers itself.
 * Both indexes begin with the kind and the project, because the dispatcher chooses and counts by project. The reconciler reads all of
 * `slots_handed_out`, which is short.
 */
const SLOTS = `
  CREATE TABLE slots (
    report_id uuid NOT NULL REFERENCES reports ON DELETE CASCADE,
    slot_id text NOT NULL,
    project_id uuid NOT NULL,
    phase text NOT NULL,
    asset_id uuid,
    source_kind text,
    source_url text,
    client_asset_id text,
    image_sha256 text,
    image_hash text,
    analysis_id uuid,
    replaces_success boolean NOT NULL,
    queued_at timestamptz,
    handover_at timestamptz,
    handover_attempts integer NOT NULL,
    trace jsonb NOT NULL,
    sandbox text,
    work_kind text COLLATE "C" GENERATED ALWAYS AS (CASE phase WHEN 'fetching' THEN 'fetch' WHEN 'analyzing' THEN
      CASE WHEN sandbox IS NULL THEN split_part(slot_id, '.', 1) || '.' || split_part(slot_id, '.', 2) ELSE 'sandbox' END END) STORED,
    PRIMARY KEY (report_id, slot_id)
  );
  CREATE INDEX slots_waiting ON slots (work_kind, project_id, queued_at) WHERE queued_at IS NOT NULL AND handover_at IS NULL;
  CREATE INDEX slots_handed_out ON slots (work_kind, project_id, handover_at) WHERE handover_at IS NOT NULL;
  CREATE TABLE work_shares (
    project_id uuid NOT NULL,
    work_kind text COLLATE "C" NOT NULL,
    given bigint NOT NULL,
    last_turn_at timestamptz,
    PRIMARY KEY (project_id, work_kind)
  );
  CREATE TABLE work_levels (
    work_kind text COLLATE "C" PRIMARY KEY,
    given bigint NOT NULL
  );
`;

/**
 * The only durable copy of a measurement. json and not jsonb: `body` is served as it was written. `guess` is beside it, because only members
 * may see it.
 */
const ANALYSES = `
  CREATE TABLE analyses (
    report_id uuid NOT NULL REFERENCES reports,
    analysis_id uuid NOT NULL,
    project_id uuid NOT NULL,
    slot_id text NOT NULL,
    provenance text NOT NULL,
    error_code text,
    model text,
    body json NOT NULL,
    guess json,
    PRIMARY KEY (report_id, analysis_id)
  );
`;

/** A revision refers to an analysis of each slot, and to the image that the slot had. */
const REVISIONS = `
  CREATE TABLE analysis_revisions (
    revision_id uuid PRIMARY KEY,
    report_id uuid NOT NULL REFERENCES reports,
    project_id uuid NOT NULL,
    status text NOT NULL,
    completed_at timestamptz NOT NULL,
    warnings_json text NOT NULL
  );
  CREATE INDEX analysis_revisions_report ON analysis_revisions (report_id);
  CREATE TABLE analysis_revision_slots (
    revision_id uuid NOT NULL REFERENCES analysis_revisions,
    slot_id text NOT NULL,
    report_id uuid NOT NULL,
    project_id uuid NOT NULL,
    asset_id uuid,
    source_kind text,
    source_url text,
    client_asset_id text,
    analysis_id uuid NOT NULL,
    PRIMARY KEY (revision_id, slot_id),
    FOREIGN KEY (report_id, analysis_id) REFERENCES analyses
  );
  CREATE INDEX analysis_revision_slots_asset ON analysis_revision_slots (report_id, asset_id);
`;

const IDEMPOTENCY_RECORDS = `
  CREATE TABLE idempotency_records (
    project_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    request_digest bytea NOT NULL,
    report_id uuid NOT NULL REFERENCES reports ON DELETE CASCADE,
    http_status integer NOT NULL,
    response_json bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, idempotency_key)
  );
  CREATE INDEX idempotency_records_report ON idempotency_records (report_id);
  CREATE INDEX idempotency_records_age ON idempotency_records (created_at);
`;

/**
 * One row for each command that changed a report. The creation is in the row of the report, because it must not cost another statement.
 * A trace id has the 128 bits of a uuid.
 */
const HISTORY = `
  CREATE TABLE report_history (
    report_id uuid NOT NULL REFERENCES reports,
    entry bigint GENERATED ALWAYS AS IDENTITY,
    project_id uuid NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    trace_id uuid,
    happenings json NOT NULL,
    PRIMARY KEY (report_id, entry)
  );
  CREATE INDEX report_history_time ON report_history USING brin (at) WITH (autosummarize = on);
`;

/** Usage is added up by day, so that a question about it does not count a million reports. Times have milliseconds, and so has `until`. */
const USAGE = `
  CREATE TABLE usage_days (
    project_id uuid NOT NULL,
    day date NOT NULL,
    measure text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (project_id, day, measure)
  );
  CREATE TABLE usage_counted (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    until timestamptz NOT NULL
  );
  INSERT INTO usage_counted (until) VALUES (date_trunc('milliseconds', now()) - interval '2 minutes');
`;

/**
 * Analyses and revisions may go, but only with their closed report. The search path is set, so that a temporary table of the same name
 * cannot stand in for the real one.
 */
const REMOVE_WITH_THE_REPORT = `
  CREATE FUNCTION refuse_removal_of_open_report() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  BEGIN
    IF EXISTS (SELECT FROM reports WHERE report_id = OLD.report_id AND (discarded_at IS NOT NULL OR purge_at IS NOT NULL)) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a revision is removed only with its closed report' USING ERRCODE = 'restrict_violation';
  END $$;
${['analyses', 'analysis_revisions', 'analysis_revision_slots']
  .map(
    (table) => `
  DROP TRIGGER ${table}_immutable ON ${table};
  CREATE TRIGGER ${table}_immutable BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER ${table}_not_removed BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_removal_of_open_report();`,
  )
  .join('')}
`;
