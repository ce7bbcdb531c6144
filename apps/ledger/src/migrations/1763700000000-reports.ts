import { forbidChange, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Reports1763700000000 implements MigrationInterface {
  name = 'Reports1763700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(CREATE_REPORTS);
    await queryRunner.query(CREATE_SLOTS);
    await queryRunner.query(CREATE_ANALYSIS_REVISIONS);
    await queryRunner.query(CREATE_IDEMPOTENCY_RECORDS);
    await projectTable(queryRunner, 'reports', 'SELECT, INSERT, UPDATE');
    await projectTable(queryRunner, 'slots', 'SELECT, INSERT, UPDATE');
    await projectTable(queryRunner, 'analysis_revisions', 'SELECT, INSERT');
    await projectTable(queryRunner, 'idempotency_records', 'SELECT, INSERT');
    await forbidChange(queryRunner, 'analysis_revisions');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_records, analysis_revisions, slots, reports');
  }
}

const CREATE_REPORTS = `
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
    share_token text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    analysis_status text NOT NULL,
    revision_id uuid,
    revision_status text,
    revision_completed_at timestamptz,
    revision_publication_version integer NOT NULL,
    content_analysis_revision uuid,
    content_revision uuid,
    content_etag text,
    content_error_code text,
    publication_version integer NOT NULL,
    publication_status text NOT NULL,
    published_at timestamptz,
    link_active boolean NOT NULL,
    document bytea NOT NULL,
    handover_at timestamptz,
    handover_attempts integer NOT NULL
  );
  CREATE UNIQUE INDEX reports_inspection ON reports (project_id, external_inspection_id) WHERE external_inspection_id IS NOT NULL;
  CREATE INDEX reports_handover ON reports (handover_at) WHERE handover_at IS NOT NULL;
`;

const CREATE_SLOTS = `
  CREATE TABLE slots (
    report_id uuid NOT NULL REFERENCES reports ON DELETE CASCADE,
    slot_id text NOT NULL,
    project_id uuid NOT NULL,
    phase text NOT NULL,
    asset_id uuid,
    source_kind text,
    source_url text,
    client_asset_id text,
    analysis_id uuid,
    replaces_success boolean NOT NULL,
    analysis json,
    model text,
    handover_at timestamptz,
    handover_attempts integer NOT NULL,
    PRIMARY KEY (report_id, slot_id)
  );
  CREATE INDEX slots_handover ON slots (handover_at) WHERE handover_at IS NOT NULL;
`;

const CREATE_ANALYSIS_REVISIONS = `
  CREATE TABLE analysis_revisions (
    revision_id uuid PRIMARY KEY,
    report_id uuid NOT NULL REFERENCES reports,
    project_id uuid NOT NULL,
    status text NOT NULL,
    completed_at timestamptz NOT NULL,
    snapshot bytea NOT NULL
  );
  CREATE INDEX analysis_revisions_report ON analysis_revisions (report_id);
`;

const CREATE_IDEMPOTENCY_RECORDS = `
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
`;
