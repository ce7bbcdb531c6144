import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose account at a provider is whose here: one each. What a browser began to ask of one is forgotten after a crash. */
export class OpenId1763830000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE openid_identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id uuid NOT NULL REFERENCES users,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (issuer, subject),
        UNIQUE (user_id, issuer)
      );
      CREATE UNLOGGED TABLE openid_challenges (
        digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
        state text NOT NULL,
        nonce text NOT NULL,
        code_verifier text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await grantRuntime(queryRunner, 'openid_identities', 'SELECT, INSERT');
    await grantRuntime(queryRunner, 'openid_challenges', 'SELECT, INSERT, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE openid_challenges, openid_identities');
  }
}
