import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is invited and has one-time codes joins after the code. An operator disconnects an account. What a browser began to ask of a provider lies sealed in the browser now;
 * no release has had that table.
 */
export class Joining1763840000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sessions ADD COLUMN invitation_id uuid REFERENCES invitations;
      DROP TABLE openid_challenges`);
    await grantRuntime(queryRunner, 'openid_identities', 'DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sessions DROP COLUMN invitation_id;
      CREATE UNLOGGED TABLE openid_challenges (
        digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
        state text NOT NULL,
        nonce text NOT NULL,
        code_verifier text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await grantRuntime(queryRunner, 'openid_challenges', 'SELECT, INSERT, DELETE');
  }
}
