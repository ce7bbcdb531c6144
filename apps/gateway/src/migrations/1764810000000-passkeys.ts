import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Public keys of members, and the challenges that they sign: each is deleted when it is used. Old ones are locked before that (UPDATE). */
export class Passkeys1764810000000 implements MigrationInterface {
  name = 'Passkeys1764810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE passkeys (
        passkey_id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users,
        credential_id text NOT NULL UNIQUE,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        is_synced boolean NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz
      );
      CREATE INDEX passkeys_user ON passkeys (user_id);
      CREATE TABLE passkey_challenges (
        challenge text PRIMARY KEY,
        purpose text NOT NULL,
        user_id uuid REFERENCES users,
        session_id uuid,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX passkey_challenges_age ON passkey_challenges (expires_at)`);
    await grantRuntime(queryRunner, 'passkeys', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'passkey_challenges', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE passkey_challenges, passkeys');
  }
}
