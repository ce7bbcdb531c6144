import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers of reports. Everything that names a person is sealed; a phone number is found by a keyed digest, whose key is sealed too. */
export class Visits1764710000000 implements MigrationInterface {
  name = 'Visits1764710000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE visits (
        project_id uuid NOT NULL REFERENCES projects,
        report_id uuid NOT NULL,
        details bytea NOT NULL,
        phone_digest bytea CHECK (octet_length(phone_digest) = 32),
        advisor_id uuid REFERENCES users,
        consent_version text,
        consent_language text,
        consent_at timestamptz,
        consent_by uuid REFERENCES users,
        updated_at timestamptz NOT NULL,
        check_at timestamptz,
        PRIMARY KEY (project_id, report_id),
        CHECK (num_nulls(consent_version, consent_language, consent_at) IN (0, 3))
      );
      CREATE INDEX visits_by_phone ON visits (project_id, phone_digest, updated_at DESC) WHERE phone_digest IS NOT NULL;
      CREATE INDEX visits_to_check ON visits (check_at) WHERE check_at IS NOT NULL;
      CREATE TABLE digest_keys (
        purpose text PRIMARY KEY,
        key bytea NOT NULL
      )`);
    await projectTable(queryRunner, 'visits', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'digest_keys', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE digest_keys, visits');
  }
}
