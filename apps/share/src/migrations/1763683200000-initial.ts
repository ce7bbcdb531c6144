import { forbidChange, grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

async function publications(queryRunner: QueryRunner): Promise<void> {
  // The row of a discarded publication stays, so that its links still show that the report is gone.
  await queryRunner.query(`
    CREATE TABLE publications (
      report_id uuid PRIMARY KEY,
      project_id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('absent', 'held', 'unpublished', 'published', 'revoked', 'discarded')),
      version bigint NOT NULL DEFAULT 0,
      last_analysis_revision uuid,
      last_analysis_status text,
      last_content_revision uuid,
      published_at timestamptz,
      callback_url text,
      external_inspection_id text,
      external_vehicle_id text
    )`);
  await projectTable(queryRunner, 'publications', 'SELECT, INSERT, UPDATE');
  // Queries use the digest of a token. The token is stored too, sealed, because GET /reports/{id}/share shows the address again. It is null
  // after the report was discarded.
  await queryRunner.query(`
    CREATE TABLE share_links (
      id uuid PRIMARY KEY,
      project_id uuid NOT NULL,
      report_id uuid NOT NULL,
      token bytea,
      token_digest bytea NOT NULL UNIQUE CHECK (octet_length(token_digest) = 32),
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz
    )`);
  await queryRunner.query(`CREATE INDEX share_links_by_report ON share_links (report_id, created_at DESC)`);
  await projectTable(queryRunner, 'share_links', 'SELECT, INSERT, UPDATE');
}

async function webhookSecrets(queryRunner: QueryRunner): Promise<void> {
  // The secret is sealed.
  await queryRunner.query(`
    CREATE TABLE webhook_secrets (
      id uuid PRIMARY KEY,
      project_id uuid NOT NULL,
      secret bytea NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz
    )`);
  // A project has one current secret. If two transactions create it at once, the second one finds the first.
  await queryRunner.query(`CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (project_id) WHERE expires_at IS NULL`);
  await projectTable(queryRunner, 'webhook_secrets', 'SELECT, INSERT, UPDATE');
}

/** The partner settings that the pages of a project show. The bytes of the logo are in assets. */
async function partners(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE partners (
      project_id uuid PRIMARY KEY,
      name text CHECK (name <> ''),
      phone text CHECK (phone <> ''),
      logo_name text,
      logo_width_px integer,
      logo_height_px integer,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT partners_logo CHECK (num_nonnulls(logo_name, logo_width_px, logo_height_px) IN (0, 3))
    )`);
  await projectTable(queryRunner, 'partners', 'SELECT, INSERT, UPDATE');
  // Logos that may be in the object store without being named: not saved yet, or replaced.
  await queryRunner.query(`
    CREATE TABLE unused_logos (
      project_id uuid NOT NULL,
      name text NOT NULL,
      since timestamptz NOT NULL,
      PRIMARY KEY (project_id, name)
    )`);
  await projectTable(queryRunner, 'unused_logos', 'SELECT, INSERT, DELETE');
}

async function callbacks(queryRunner: QueryRunner): Promise<void> {
  // fails_first: so many first attempts fail on purpose, in the sandbox of a test project.
  // A receiver is the origin of the address in one project: a receiver that hangs for one project does not slow another.
  // The body contains the address of the share page, so it is sealed. It is null after the report was discarded.
  await queryRunner.query(`
    CREATE TABLE callbacks (
      id uuid PRIMARY KEY,
      project_id uuid NOT NULL,
      report_id uuid,
      analysis_revision uuid,
      url text NOT NULL,
      body bytea,
      trace_headers jsonb NOT NULL,
      state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'abandoned')),
      attempt_count integer NOT NULL DEFAULT 0,
      queued_at timestamptz NOT NULL,
      next_attempt_at timestamptz NOT NULL,
      claimed_until timestamptz,
      type text NOT NULL DEFAULT 'report.completed' CHECK (type IN
        ('report.completed', 'report.partial', 'report.failed', 'content.ready', 'share.revoked', 'callback.test')),
      receiver text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (project_id::text || ' ' || lower(coalesce(substring(url from '^[^/]*//[^/?#]*'), ''))) STORED,
      tried_since timestamptz,
      attempts_before integer NOT NULL DEFAULT 0,
      fails_first integer NOT NULL DEFAULT 0,
      UNIQUE (report_id, analysis_revision, type),
      CONSTRAINT callbacks_of_a_report CHECK
        (type = 'callback.test' OR (report_id IS NOT NULL AND (analysis_revision IS NOT NULL OR type = 'share.revoked')))
    )`);
  await queryRunner.query(`CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at) WHERE state = 'pending'`);
  // How many wait that were sent again limits a replay, and they are sent after the others. Few do.
  await queryRunner.query(`
    CREATE INDEX callbacks_again ON callbacks (project_id, receiver, next_attempt_at) WHERE state = 'pending' AND tried_since IS NOT NULL`);
  // Counts by day read this index alone: a callback itself has a body of kilobytes.
  await queryRunner.query(`CREATE INDEX callbacks_by_day ON callbacks (project_id, id) INCLUDE (state)`);
  await projectTable(queryRunner, 'callbacks', 'SELECT, INSERT, UPDATE');
}

async function callbackAttempts(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE callback_attempts (
      callback_id uuid NOT NULL REFERENCES callbacks (id),
      number integer NOT NULL,
      project_id uuid NOT NULL,
      started_at timestamptz NOT NULL,
      duration_ms integer NOT NULL,
      http_status integer,
      failure text,
      answer bytea CHECK (octet_length(answer) <= 1024),
      PRIMARY KEY (callback_id, number)
    )`);
  await projectTable(queryRunner, 'callback_attempts', 'SELECT, INSERT');
  await grantRuntime(queryRunner, 'callback_attempts', 'UPDATE (answer)');
  // An attempt never changes, with one exception: the answer is erased when the report is discarded.
  await forbidChange(queryRunner, 'callback_attempts');
  await queryRunner.query(`
    CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND NEW.answer IS NULL AND to_jsonb(NEW) - 'answer' = to_jsonb(OLD) - 'answer' THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`);
  await queryRunner.query(`
    CREATE OR REPLACE TRIGGER callback_attempts_immutable BEFORE UPDATE OR DELETE ON callback_attempts
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting()`);
}

async function chosenEvents(queryRunner: QueryRunner): Promise<void> {
  // A project without a row gets report.completed only.
  await queryRunner.query(`CREATE TABLE chosen_events (project_id uuid PRIMARY KEY, events text[] NOT NULL)`);
  await projectTable(queryRunner, 'chosen_events', 'SELECT, INSERT, UPDATE');
}

export class Initial1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await publications(queryRunner);
    await webhookSecrets(queryRunner);
    await partners(queryRunner);
    await callbacks(queryRunner);
    await callbackAttempts(queryRunner);
    await chosenEvents(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE chosen_events, callback_attempts, callbacks, unused_logos, partners, webhook_secrets, share_links, publications`);
    await queryRunner.query('DROP FUNCTION refuse_change_but_forgetting');
  }
}
