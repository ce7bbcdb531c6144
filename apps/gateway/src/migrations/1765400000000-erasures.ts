import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Erasures of what is kept about a person or a vehicle. The value is sealed, and goes when the erasure has ended: then there is a keyed digest
 * of it. The ids of removed reports stay, so that a restored backup can be erased again.
 */
export class Erasures1765400000000 implements MigrationInterface {
  name = 'Erasures1765400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE erasures (
        erasure_id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects,
        kind text NOT NULL CHECK (kind IN ('plate', 'vin', 'vehicle', 'report', 'phone', 'email', 'name')),
        subject bytea,
        subject_digest bytea NOT NULL CHECK (octet_length(subject_digest) = 32),
        state text NOT NULL CHECK (state IN ('counting', 'counted', 'erasing', 'done', 'cancelled', 'refused')),
        requested_by uuid REFERENCES users,
        requested_at timestamptz NOT NULL,
        preview json,
        reason text,
        confirmed_by uuid REFERENCES users,
        confirmed_at timestamptz,
        next_at timestamptz,
        ended_at timestamptz,
        certificate json,
        CHECK ((next_at IS NOT NULL) = (state IN ('counting', 'erasing'))),
        CHECK ((ended_at IS NOT NULL) = (state IN ('done', 'cancelled', 'refused')))
      );
      CREATE INDEX erasures_newest ON erasures (project_id, erasure_id DESC);
      CREATE INDEX erasures_due ON erasures (next_at) WHERE next_at IS NOT NULL;
      CREATE INDEX erasures_open ON erasures (requested_at) WHERE state IN ('counting', 'counted');
      CREATE TABLE erasure_reports (
        erasure_id uuid NOT NULL REFERENCES erasures ON DELETE CASCADE,
        project_id uuid NOT NULL,
        report_id uuid NOT NULL,
        state text NOT NULL CHECK (state IN ('found', 'removing', 'removed', 'held')),
        counts json,
        PRIMARY KEY (erasure_id, report_id)
      )`);
    await projectTable(queryRunner, 'erasures', 'SELECT, INSERT, UPDATE');
    await projectTable(queryRunner, 'erasure_reports', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'request_log', 'DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE erasure_reports, erasures');
  }
}
