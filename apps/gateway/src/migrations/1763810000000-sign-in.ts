import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Codes for who lost his telephone, as digests; and what is left of the attempts that addresses may make, by the digest of whom it is
 * about. That table is no record: after a crash it is empty, and nothing waits for its writes to reach the disk.
 */
export class SignIn1763810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE recovery_codes (
        user_id uuid NOT NULL REFERENCES users,
        digest bytea NOT NULL CHECK (octet_length(digest) = 32),
        used_at timestamptz,
        PRIMARY KEY (user_id, digest)
      );
      CREATE UNLOGGED TABLE attempts (
        bucket bytea PRIMARY KEY,
        tokens double precision NOT NULL,
        at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
    await grantRuntime(queryRunner, 'recovery_codes', 'SELECT, INSERT, UPDATE (used_at), DELETE');
    await grantRuntime(queryRunner, 'attempts', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE attempts, recovery_codes');
  }
}
